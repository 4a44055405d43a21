import { createHash } from 'node:crypto';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { ProgramDigest } from '#lib/service/people/mail/owner-digest.ts';

/** Somebody whom a mail is for: a partner, an account. */
export interface Addressee {
  readonly email: string;
  readonly name?: string;
  /** The account that may refuse mails, where one is known. */
  readonly accountId?: number;
}

/** Owners of a workspace. */
interface Owners {
  readonly ownersOf: number;
}

/** Partners of a program who are active when they are written to, by their own acceptance. */
interface ActivePartners {
  readonly activePartnersOf: number;
}

/** Partners to whom a payout pays something, and who have accepted to be partners. */
interface PaidPartners {
  readonly paidIn: number;
}

/** Several people, who are looked up when the mails are made. */
export type Audience = Owners | ActivePartners | PaidPartners;

interface OfProgram {
  readonly programId: number;
  readonly programName: string;
}

/** What a mail of each kind says beside whom it is for. Times are ISO 8601. */
export interface MailData {
  readonly partner_invited: OfProgram;
  /** @param reason of a rejection */
  readonly application_decided: OfProgram &
    ({ readonly decision: 'accepted' } | { readonly decision: 'rejected'; readonly reason: string });
  readonly payout_made: OfProgram & {
    readonly payoutId: number;
    /** One for each currency. */
    readonly amounts: readonly { readonly currency: Currency; readonly amountCents: number }[];
  };
  /**
   * @param masked the new details as they are shown; absent: they were deleted @param areFirst there were none before
   * @param heldUntil absent: no payout is held
   */
  readonly payout_details_changed: {
    readonly masked?: string;
    readonly areFirst?: true;
    readonly heldUntil?: string;
  };
  readonly partner_address_changed: OfProgram & { readonly heldUntil: string };
  /** Of the workspace of this program. */
  readonly details_downloaded: OfProgram;
  /** @param at when */
  readonly data_exported: { readonly at: string };
  /** @param at when */
  readonly account_closed: { readonly at: string };
  readonly terms_changed: OfProgram & { readonly version: number };
  readonly key_rotation_due: OfProgram & { readonly deadline: string };
  /** @param reason a sentence without its full stop */
  readonly webhook_disabled: OfProgram & { readonly url: string; readonly reason: string };
  /** What a day has left to decide. @param otherPrograms how many more there are than are told */
  readonly owner_digest: {
    readonly day: Day;
    readonly programs: readonly ProgramDigest[];
    readonly otherPrograms: number;
  };
  readonly sale_id_in_use: OfProgram;
  readonly signed_in: SignedInFrom & { readonly browser?: string };
  readonly terminal_signed_in: SignedInFrom;
}

/** @param address without its last part */
interface SignedInFrom {
  readonly at: string;
  /** The account works in a workspace: its page of members shows where it is signed in. */
  readonly isMember?: true;
  readonly address?: string;
  readonly place?: string;
}

export type MailKind = keyof MailData;

/** Whom a mail of each kind is for. */
interface Recipients extends Record<MailKind, Addressee | Audience> {
  readonly partner_invited: Addressee;
  readonly application_decided: Addressee;
  readonly payout_made: PaidPartners;
  readonly payout_details_changed: Addressee;
  readonly partner_address_changed: Addressee;
  readonly details_downloaded: Addressee;
  readonly data_exported: Addressee;
  readonly account_closed: Addressee;
  readonly terms_changed: ActivePartners;
  readonly key_rotation_due: Owners;
  readonly webhook_disabled: Owners;
  readonly owner_digest: Owners;
  readonly sale_id_in_use: Owners;
  readonly signed_in: Addressee;
  readonly terminal_signed_in: Addressee;
}

/** What a fact knows: the amounts of a payout are looked up with the partners. */
interface FactData extends Omit<MailData, 'payout_made'> {
  readonly payout_made: Omit<MailData['payout_made'], 'amounts'>;
}

/** Something that people are told of by mail. */
export type MailFact = {
  readonly [Kind in MailKind]: {
    readonly kind: Kind;
    /** Names what happened, unlike anything else of its kind; what may happen again has its time in it. */
    readonly fact: string;
    readonly to: Recipients[Kind];
    readonly data: FactData[Kind];
  };
}[MailKind];

/** A mail to one address. */
export type Mail = {
  readonly [Kind in MailKind]: {
    readonly kind: Kind;
    readonly to: Addressee;
    readonly data: MailData[Kind];
  };
}[MailKind];

/**
 * What a partner may refuse. That payout details were changed or read, that somebody signed in, or that the account was closed, has to be told in any
 * case; owners are told as owners.
 */
const refusable: ReadonlySet<MailKind> = new Set([
  'partner_invited',
  'application_decided',
  'payout_made',
  'terms_changed',
]);

export const mayBeRefused = (kind: MailKind): boolean => refusable.has(kind);

/** Whether a mail goes to an address that a brand wrote, whoever is there: that person may block the workspace. */
export const mayBlockSender = ({ kind, to }: Pick<Mail, 'kind' | 'to'>): boolean =>
  kind === 'partner_invited' || (kind === 'partner_address_changed' && to.accountId === undefined);

/** The id of a mail: of a fact, each address has one. */
export const mailIdOf = ({ kind, fact }: Pick<MailFact, 'kind' | 'fact'>, email = ''): string =>
  createHash('sha256').update(`${kind} ${fact} ${email}`).digest('hex').slice(0, 32);

/** Whether a fact is for several people. */
export const isAudience = (to: Addressee | Audience): to is Audience => !('email' in to);
