import { createHash } from 'node:crypto';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { ProgramDigest } from '#lib/service/people/mail/owner-digest.ts';

/** The recipient of a mail: a partner or an account. */
export interface Addressee {
  readonly email: string;
  readonly name?: string;
  /** The account that may unsubscribe; undefined if no account is known. */
  readonly accountId?: number;
}

/** All owners of a workspace. */
interface Owners {
  readonly ownersOf: number;
}

/** Partners of a program who have accepted and are active when the mail is created. */
interface ActivePartners {
  readonly activePartnersOf: number;
}

/** Partners who have accepted and receive money from a payout. */
interface PaidPartners {
  readonly paidIn: number;
}

/** The partner of a payout line, if this partner has accepted. */
interface PartnerOfLine {
  readonly partnerOfLine: number;
}

/** Groups of recipients that are looked up when the mails are created. */
export type Audience = Owners | ActivePartners | PaidPartners | PartnerOfLine;

interface OfProgram {
  readonly programId: number;
  readonly programName: string;
}

/** The contents of each kind of mail, without its recipient. Times are ISO 8601. */
export interface MailData {
  /**
   * @param partnerId the partner whose terms the mail contains; absent in mails of former versions, which contain the
   * program's terms
   */
  readonly partner_invited: OfProgram & { readonly partnerId?: number };
  /** A brand has decided on an application to its program. @param reason why the application was rejected */
  readonly application_decided: OfProgram &
    ({ readonly decision: 'accepted' } | { readonly decision: 'rejected'; readonly reason: string });
  readonly payout_made: OfProgram & {
    readonly payoutId: number;
    /** The amounts paid, one entry per currency. */
    readonly amounts: readonly { readonly currency: Currency; readonly amountCents: number }[];
  };
  /** @param reason why the line failed or is void */
  readonly payout_returned: OfProgram & {
    readonly payoutId: number;
    readonly amount: { readonly currency: Currency; readonly amountCents: number };
    readonly reason: string;
  };
  /**
   * Payout details were set, changed or deleted.
   * @param masked the new details in masked form; undefined if they were deleted
   * @param areFirst whether there were no details before
   * @param heldUntil until when payouts are on hold; undefined if they are not
   */
  readonly payout_details_changed: {
    readonly masked?: string;
    readonly areFirst?: true;
    readonly heldUntil?: string;
  };
  readonly partner_address_changed: OfProgram & { readonly heldUntil: string };
  /** A program of the workspace that downloaded the details. */
  readonly details_downloaded: OfProgram;
  /** A person's data were exported. @param at time of the export */
  readonly data_exported: { readonly at: string };
  /** An account was closed. @param at time of the closing */
  readonly account_closed: { readonly at: string };
  readonly terms_changed: OfProgram & { readonly version: number };
  /**
   * The terms by which a partner is paid have changed.
   * @param before the former terms in words
   * @param after the new terms in words
   * @param version the version of the new terms
   */
  readonly commission_terms_changed: OfProgram & {
    readonly before: string;
    readonly after: string;
    readonly version: number;
  };
  readonly key_rotation_due: OfProgram & { readonly deadline: string };
  /**
   * A webhook endpoint was disabled after all requests had failed for days.
   * @param reason a sentence without its full stop
   */
  readonly webhook_disabled: OfProgram & { readonly url: string; readonly reason: string };
  /**
   * What the owners must decide at the end of a day.
   * @param otherPrograms number of further programs that are not listed
   */
  readonly owner_digest: {
    readonly day: Day;
    readonly programs: readonly ProgramDigest[];
    readonly otherPrograms: number;
  };
  /** A payout day has come. @param areFrozen whether the payouts of the workspace are frozen */
  readonly payout_due: OfProgram & { readonly day: Day; readonly areFrozen?: true };
  readonly sale_id_in_use: OfProgram;
  /** Someone was invited to a workspace. @param inviterName who invited the person; absent if no person did */
  readonly member_invited: {
    readonly workspaceId: number;
    readonly workspaceName: string;
    readonly inviterName?: string;
  };
  readonly signed_in: SignedInFrom & { readonly browser?: string };
  readonly terminal_signed_in: SignedInFrom;
}

/** Where and when someone signed in. */
interface SignedInFrom {
  readonly at: string;
  /** Set if the account is a workspace member. The mail then refers to the list of sign-ins on the members page. */
  readonly isMember?: true;
  /** The network address without its last part. */
  readonly address?: string;
  readonly place?: string;
}

export type MailKind = keyof MailData;

/** The type of recipient for each kind of mail. */
interface Recipients extends Record<MailKind, Addressee | Audience> {
  readonly partner_invited: Addressee;
  readonly application_decided: Addressee;
  readonly payout_made: PaidPartners;
  readonly payout_returned: PartnerOfLine;
  readonly payout_details_changed: Addressee;
  readonly partner_address_changed: Addressee;
  readonly details_downloaded: Addressee;
  readonly data_exported: Addressee;
  readonly account_closed: Addressee;
  readonly terms_changed: ActivePartners;
  readonly commission_terms_changed: ActivePartners;
  readonly key_rotation_due: Owners;
  readonly webhook_disabled: Owners;
  readonly owner_digest: Owners;
  readonly payout_due: Owners;
  readonly sale_id_in_use: Owners;
  readonly member_invited: Addressee;
  readonly signed_in: Addressee;
  readonly terminal_signed_in: Addressee;
}

/**
 * The data stored with a fact (an event about which mails are sent). Data that differ between recipients are read when
 * their mails are created.
 */
interface FactData extends Omit<MailData, 'payout_made' | 'commission_terms_changed'> {
  readonly payout_made: Omit<MailData['payout_made'], 'amounts'>;
  /** The commission terms changed. @param dueAt when the mails were due, which identifies the report of the changes */
  readonly commission_terms_changed: OfProgram & { readonly dueAt: string };
}

/** A fact: an event about which mails are sent. */
export type MailFact = {
  readonly [Kind in MailKind]: {
    readonly kind: Kind;
    /** Identifies the fact among all facts of its kind. It contains a time if the same event can happen again. */
    readonly fact: string;
    readonly to: Recipients[Kind];
    readonly data: FactData[Kind];
  };
}[MailKind];

export type Mail = {
  readonly [Kind in MailKind]: {
    readonly kind: Kind;
    readonly to: Addressee;
    readonly data: MailData[Kind];
  };
}[MailKind];

/**
 * The kinds of mails that a partner may unsubscribe from. All others are always sent: those about payout details,
 * sign-ins and the closing of the account, and those to owners.
 */
const refusable: ReadonlySet<MailKind> = new Set([
  'partner_invited',
  'application_decided',
  'payout_made',
  'payout_returned',
  'terms_changed',
  'commission_terms_changed',
]);

export const mayBeRefused = (kind: MailKind): boolean => refusable.has(kind);

/**
 * Whether a program sends the mail to its partners, under the program's brand. Partners can unsubscribe from exactly
 * these mails.
 */
export const isOfProgram = (kind: MailKind): boolean => mayBeRefused(kind);

/**
 * Whether the brand, not the person, has entered the mail's address. The recipient of such a mail may block the brand's
 * workspace.
 */
export const mayBlockSender = ({ kind, to }: Pick<Mail, 'kind' | 'to'>): boolean =>
  kind === 'partner_invited' ||
  kind === 'member_invited' ||
  (kind === 'partner_address_changed' && to.accountId === undefined);

/** The id of a mail. It is the same for the same fact and address, so that no one gets a mail twice. */
export const mailIdOf = ({ kind, fact }: Pick<MailFact, 'kind' | 'fact'>, email = ''): string =>
  createHash('sha256').update(`${kind} ${fact} ${email}`).digest('hex').slice(0, 32);

/** Whether the recipient of a fact is a group. */
export const isAudience = (to: Addressee | Audience): to is Audience => !('email' in to);
