import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { DEFAULT_LINKS_PER_PARTNER, type Program } from '#lib/service/programs/program/program.ts';
import { ownLinksFull, partnerStatusRefused } from '#lib/service/ground/values/refusals.ts';

/** The statuses that a brand may set itself. */
export const membershipStatuses = ['active', 'removed'] as const;
export const partnerStatuses = [...membershipStatuses, 'invited', 'applied', 'rejected', 'expired'] as const;
export type PartnerStatus = (typeof partnerStatuses)[number];

/** How many days an invitation may be accepted. */
const INVITATION_DAYS = 30;

/**
 * Maximum number of programs in which a partner's name and e-mail can be changed, because all of them change in one
 * transaction. A transaction of the table takes 100 writes: two are for the former and the new e-mail, one is for the
 * audit list, and three are for the mail about the change and for counting it.
 */
export const MOST_CHANGED_PROGRAMS = 94;

/** A person's application to become a partner. */
export interface Application {
  readonly message?: string;
  readonly website?: string;
  readonly appliedAt: string;
  /** Set if the application waits in the queue behind all others, because many came from one network or mail domain. */
  readonly isQueued?: true;
}

/** A partner's relation to one program. The same person has one id in all programs of a workspace. Times are ISO 8601. */
export interface Partner {
  readonly id: number;
  readonly programId: number;
  readonly name: string;
  /** The e-mail address; absent once the person has closed the account. */
  readonly email?: string;
  /**
   * The stored status. An invitation that has run out is still stored as `invited`; a withdrawn or declined one is
   * stored as `expired`.
   */
  readonly status: PartnerStatus;
  /** Short links, oldest first, including inactive ones. */
  readonly links: readonly string[];
  /** The name that the brand wants for the first link. */
  readonly wishedLink?: string;
  /** The coupon code that the brand wants for the partner. */
  readonly wishedCode?: string;
  /** Active short links that the partner created. */
  readonly ownLinks?: readonly string[];
  /** The number of links that the partner has ever created. */
  readonly linksMade?: number;
  /**
   * The person's account; absent until someone signs in with the address. The brand may not see it before the person
   * accepts.
   */
  readonly accountId?: number;
  /** When the newest invitation was sent. */
  readonly invitedAt?: string;
  /**
   * When the person accepted the partnership. Absent for a person whom the brand added or restored, until this person
   * accepts.
   */
  readonly joinedAt?: string;
  /** When the brand restored a partner who had accepted before. Removed when the person accepts again. */
  readonly restoredAt?: string;
  readonly application?: Application;
  readonly rejectedAt?: string;
  readonly rejectionReason?: string;
  /** When the person left, declined after being added by the brand, or closed the account. */
  readonly leftAt?: string;
  /** Set if the brand had already removed the person when the account was closed. */
  readonly wasRemoved?: true;
  /** The newest partner terms that the person accepted. */
  readonly acceptedTerms?: { readonly version: number; readonly at: string };
  /** Until this time payouts leave the partner out, because the brand has changed the address. */
  readonly addressHeldUntil?: string;
  /** Why this partner gets no mails; absent if the partner gets mails. Updated with a short delay. */
  readonly mail?: 'refused' | 'suppressed';
  readonly createdAt: string;
}

/** A partner to whom the brand can write. */
export type AddressedPartner = Partner & { readonly email: string };

export const hasAddress = <Some extends Partner>(partner: Some): partner is Some & { readonly email: string } =>
  partner.email !== undefined;

/** A partner's status at a given time. */
export const partnerStatusAt = (
  { status, invitedAt }: Pick<Partner, 'status' | 'invitedAt'>,
  now: Date,
): PartnerStatus => (status === 'invited' && invitedAt !== undefined && hasEnded(invitedAt, now) ? 'expired' : status);

/**
 * The status as the person sees it: a partner whom the brand has added or restored is shown as invited until the person
 * accepts. This invitation does not run out, because the partner already earns.
 */
export const ownStatusAt = (partner: Partner, now: Date): PartnerStatus =>
  partner.status === 'active' && partner.joinedAt === undefined ? 'invited' : partnerStatusAt(partner, now);

/** Whether a person is invited, added or restored and has not accepted. Such a person may not change anything yet. */
export const isNotYetPartner = (partner: Partner, now: Date): boolean => {
  const status = ownStatusAt(partner, now);
  return status === 'invited' || status === 'expired';
};

const hasEnded = (invitedAt: string, now: Date): boolean =>
  now.getTime() >= Date.parse(invitedAt) + INVITATION_DAYS * DAY_MS;

/** The version of a program's partner terms that a partner has not accepted yet; undefined if there is none. */
export const termsToAccept = (
  { partnerTermsVersion }: Pick<Program, 'partnerTermsVersion'>,
  { acceptedTerms }: Pick<Partner, 'acceptedTerms'>,
): number | undefined => (acceptedTerms?.version === partnerTermsVersion ? undefined : partnerTermsVersion);

/**
 * Maximum number of links that a partner may ever create. Links that are switched off count too, because they stay in
 * the program, which also has a limit.
 */
const MOST_LINKS_MADE = 200;

/** The number of links that a partner may still create. It may be negative after the brand has lowered the limit. */
export const linksLeft = (
  { linksPerPartner = DEFAULT_LINKS_PER_PARTNER }: Pick<Program, 'linksPerPartner'>,
  { ownLinks = [], linksMade = 0 }: Pick<Partner, 'ownLinks' | 'linksMade'>,
): number => Math.max(0, Math.min(linksPerPartner - ownLinks.length, MOST_LINKS_MADE - linksMade));

/** Checks the limit of links that a partner may create. @throws Refusal when a partner may make no further link */
export function checkLinksLeft(program: Pick<Program, 'linksPerPartner'>, partner: Partner): void {
  if (linksLeft(program, partner) > 0) return;
  const { linksPerPartner = DEFAULT_LINKS_PER_PARTNER } = program;
  throw ownLinksFull((partner.linksMade ?? 0) < MOST_LINKS_MADE ? linksPerPartner : MOST_LINKS_MADE);
}

/**
 * How many characters the names of a partner's links may have together. The names are in the partner's item, which can
 * have 400 KB. A full item could not be changed any more, not even to remove the partner.
 */
const MOST_LINK_CHARACTERS = 300_000;

export const hasRoomForLinks = ({ links }: Pick<Partner, 'links'>): boolean =>
  links.reduce((sum, { length }) => sum + length, 0) < MOST_LINK_CHARACTERS;

/** Whether a person's application waits in the queue. */
export const isInQueue = ({ status, application }: Pick<Partner, 'status' | 'application'>): boolean =>
  status === 'applied' && application?.isQueued === true;

/** Whether a person is currently a partner and has accepted. Only then can the brand see the payout details. */
export const isConsentingPartner = ({
  accountId,
  status,
  joinedAt,
}: Pick<Partner, 'accountId' | 'status' | 'joinedAt'>): boolean =>
  accountId !== undefined && status === 'active' && joinedAt !== undefined;

/**
 * Whether only the address of a partner is known: the brand has added or invited it, and the person has never applied
 * or accepted. If the address changes, the partner is regarded as another person.
 */
export const isKnownByAddress = ({
  joinedAt,
  restoredAt,
  application,
}: Pick<Partner, 'joinedAt' | 'restoredAt' | 'application'>): boolean =>
  joinedAt === undefined && restoredAt === undefined && application === undefined;

/** Whether the person has accepted the partnership and, if the brand restored it later, has accepted again since. */
export const hasConsented = ({
  joinedAt,
  restoredAt,
  application,
}: Pick<Partner, 'joinedAt' | 'restoredAt' | 'application'>): boolean =>
  joinedAt !== undefined || (application !== undefined && restoredAt === undefined);

/**
 * Returns a partner as restored by the brand: the partner earns at once, but personal data is shared only after the
 * person accepts again. A partner who was never removed is returned unchanged.
 */
export function restored(partner: Partner, now: Date): Partner {
  if (partner.status !== 'removed') return partner;
  const hadAccepted = partner.joinedAt !== undefined || partner.restoredAt !== undefined;
  const after: Partner = { ...partner, status: 'active', joinedAt: undefined, leftAt: undefined };
  return hadAccepted ? { ...after, acceptedTerms: undefined, restoredAt: now.toISOString() } : after;
}

/**
 * Whether the brand has removed the partner, even if the person has since closed the account, or was invited again and has
 * not accepted. A partner who left was not removed.
 */
export const isRemovedByBrand = (
  { removedPartnerIds }: Pick<Program, 'removedPartnerIds'>,
  { id, leftAt, wasRemoved }: Pick<Partner, 'id' | 'leftAt' | 'wasRemoved'>,
): boolean => removedPartnerIds.includes(id) && (leftAt === undefined || wasRemoved === true);

/** The status changes of a partner, each with the statuses from which it is possible and the status that results. */
const partnerSteps = {
  /** The brand makes these changes. A repeated change changes nothing. */
  remove: { from: ['active', 'removed'], to: 'removed' },
  restore: { from: ['active', 'removed'], to: 'active' },
  invite: { from: ['invited', 'expired', 'rejected', 'removed'], to: 'invited' },
  /** The brand withdraws an invitation, or the person declines it. */
  withdraw: { from: ['invited'], to: 'expired' },
  accept: { from: ['applied'], to: 'active' },
  reject: { from: ['applied'], to: 'rejected' },
  /** The person makes these changes. */
  join: { from: ['invited'], to: 'active' },
  leave: { from: ['active'], to: 'removed' },
} as const satisfies Record<string, { readonly from: readonly PartnerStatus[]; readonly to: Partner['status'] }>;

/**
 * Checks that a status change is possible.
 * @throws Refusal when the step is not possible from the current status, or would override the person's decision
 */
export function checkStep(
  step: keyof typeof partnerSteps,
  partner: Pick<Partner, 'status' | 'invitedAt' | 'leftAt' | 'email'>,
  now: Date,
): void {
  const status = partnerStatusAt(partner, now);
  const { from, to } = partnerSteps[step];
  const isAgainstTheirWill =
    // A partner who left can only return by accepting an invitation. A partner who closed the account has no address
    // for an invitation.
    (step === 'restore' && partner.leftAt !== undefined) || (step === 'invite' && partner.email === undefined);
  if (isAgainstTheirWill || !(from as readonly PartnerStatus[]).includes(status))
    throw partnerStatusRefused(to, status);
}

/** The number of days that a rejected person must wait before applying again. */
const WAIT_DAYS = 30;

/** The time from which a rejected person may apply again. */
export const mayApplyFrom = ({ rejectedAt }: Pick<Partner, 'rejectedAt'>): Date | undefined =>
  rejectedAt === undefined ? undefined : new Date(Date.parse(rejectedAt) + WAIT_DAYS * DAY_MS);
