import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { DEFAULT_LINKS_PER_PARTNER, type Program } from '#lib/service/programs/program/program.ts';
import { ownLinksFull, partnerStatusRefused } from '#lib/service/ground/values/refusals.ts';

/** What a brand may set by itself. */
export const membershipStatuses = ['active', 'removed'] as const;
export const partnerStatuses = [...membershipStatuses, 'invited', 'applied', 'rejected', 'expired'] as const;
export type PartnerStatus = (typeof partnerStatuses)[number];

/** How long an invitation may be accepted. */
const INVITATION_DAYS = 30;

/**
 * Programs in which a partner's name and e-mail are changed at once. A transaction of the table takes 100 writes, of
 * which two are for the former and the new e-mail, one is for the audit list and three are for the mail of it and its count.
 */
export const MOST_CHANGED_PROGRAMS = 94;

/** What a person wrote who asked to become a partner. */
export interface Application {
  readonly message?: string;
  readonly website?: string;
  readonly appliedAt: string;
  /** Came where many came from one network, or one domain of mail: listed behind all others. */
  readonly isQueued?: true;
}

/** A partner's relation to one program. The same person has one id in all programs of a workspace. Times are ISO 8601. */
export interface Partner {
  readonly id: number;
  readonly programId: number;
  readonly name: string;
  /** Absent once the person has closed their account. */
  readonly email?: string;
  /** As it is stored: an invitation whose time is over is still `invited`, a withdrawn or declined one is `expired`. */
  readonly status: PartnerStatus;
  /** Short links, oldest first; also those of them that are inactive. */
  readonly links: readonly string[];
  /** Of these, the active ones that the partner made. */
  readonly ownLinks?: readonly string[];
  /** Links that the partner ever made. */
  readonly linksMade?: number;
  /** The account of this person; absent until somebody signs in with the address. The brand may not see it before the person accepts. */
  readonly accountId?: number;
  /** Of the newest invitation. */
  readonly invitedAt?: string;
  /** When the person became a partner by an act of their own; absent for one whom the brand added, or restored, and who has not accepted. */
  readonly joinedAt?: string;
  /** When the brand restored the partner, who had accepted before it removed them; absent once the person has accepted again. */
  readonly restoredAt?: string;
  readonly application?: Application;
  readonly rejectedAt?: string;
  readonly rejectionReason?: string;
  /** When the person left, declined after the brand had added them, or closed their account. */
  readonly leftAt?: string;
  /** The brand had removed the person before they closed their account. */
  readonly wasRemoved?: true;
  /** The newest partner terms that the person accepted. */
  readonly acceptedTerms?: { readonly version: number; readonly at: string };
  /** Until when payouts leave the partner out because the brand has changed the address. */
  readonly addressHeldUntil?: string;
  /** Why this partner gets no mails; absent: it does. It follows a little later. */
  readonly mail?: 'refused' | 'suppressed';
  readonly createdAt: string;
}

/** A partner to whom the brand can write. */
export type AddressedPartner = Partner & { readonly email: string };

export const hasAddress = <Some extends Partner>(partner: Some): partner is Some & { readonly email: string } =>
  partner.email !== undefined;

/** The status as it is read at this time. */
export const partnerStatusAt = (
  { status, invitedAt }: Pick<Partner, 'status' | 'invitedAt'>,
  now: Date,
): PartnerStatus => (status === 'invited' && invitedAt !== undefined && hasEnded(invitedAt, now) ? 'expired' : status);

/** The status as the person reads it: whom the brand has added, or restored, is invited until they accept. That invitation does not end, as it earns. */
export const ownStatusAt = (partner: Partner, now: Date): PartnerStatus =>
  partner.status === 'active' && partner.joinedAt === undefined ? 'invited' : partnerStatusAt(partner, now);

/** Whether a person has been asked to become a partner and has not accepted: they may change nothing. */
export const isNotYetPartner = (partner: Partner, now: Date): boolean => {
  const status = ownStatusAt(partner, now);
  return status === 'invited' || status === 'expired';
};

const hasEnded = (invitedAt: string, now: Date): boolean =>
  now.getTime() >= Date.parse(invitedAt) + INVITATION_DAYS * DAY_MS;

/** The version of a program's partner terms that a partner has still to accept, if any. */
export const termsToAccept = (
  { partnerTermsVersion }: Pick<Program, 'partnerTermsVersion'>,
  { acceptedTerms }: Pick<Partner, 'acceptedTerms'>,
): number | undefined => (acceptedTerms?.version === partnerTermsVersion ? undefined : partnerTermsVersion);

/** Links that a partner may ever make: switched-off ones stay in the program, which takes a limited number. */
const MOST_LINKS_MADE = 200;

/** How many links a partner may still make; the brand may have lowered their number meanwhile. */
export const linksLeft = (
  { linksPerPartner = DEFAULT_LINKS_PER_PARTNER }: Pick<Program, 'linksPerPartner'>,
  { ownLinks = [], linksMade = 0 }: Pick<Partner, 'ownLinks' | 'linksMade'>,
): number => Math.max(0, Math.min(linksPerPartner - ownLinks.length, MOST_LINKS_MADE - linksMade));

/** @throws Refusal when a partner may make no further link */
export function checkLinksLeft(program: Pick<Program, 'linksPerPartner'>, partner: Partner): void {
  if (linksLeft(program, partner) > 0) return;
  const { linksPerPartner = DEFAULT_LINKS_PER_PARTNER } = program;
  throw ownLinksFull((partner.linksMade ?? 0) < MOST_LINKS_MADE ? linksPerPartner : MOST_LINKS_MADE);
}

/** Whether somebody's application waits in the queue. */
export const isInQueue = ({ status, application }: Pick<Partner, 'status' | 'application'>): boolean =>
  status === 'applied' && application?.isQueued === true;

/** Whether a person is a partner by their own will at this moment: this is what shares their payout details with the brand. */
export const sharesByItself = ({
  accountId,
  status,
  joinedAt,
}: Pick<Partner, 'accountId' | 'status' | 'joinedAt'>): boolean =>
  accountId !== undefined && status === 'active' && joinedAt !== undefined;

/**
 * Whether a partner's account is known by its address alone: the brand has added or invited the address, and the person
 * has never asked nor accepted. With another address it is another person.
 */
export const isKnownByAddress = ({
  joinedAt,
  restoredAt,
  application,
}: Pick<Partner, 'joinedAt' | 'restoredAt' | 'application'>): boolean =>
  joinedAt === undefined && restoredAt === undefined && application === undefined;

/** Whether a brand and a person have to do with each other by the person's own word; what was said before the brand restored them counts no more. */
export const hasOwnWord = ({
  joinedAt,
  restoredAt,
  application,
}: Pick<Partner, 'joinedAt' | 'restoredAt' | 'application'>): boolean =>
  joinedAt !== undefined || (application !== undefined && restoredAt === undefined);

/** A partner whom the brand takes back: it earns at once, and what the person shares needs a new yes. One who was never removed stays. */
export function restored(partner: Partner, now: Date): Partner {
  if (partner.status !== 'removed') return partner;
  const hadAccepted = partner.joinedAt !== undefined || partner.restoredAt !== undefined;
  const after: Partner = { ...partner, status: 'active', joinedAt: undefined, leftAt: undefined };
  return hadAccepted ? { ...after, acceptedTerms: undefined, restoredAt: now.toISOString() } : after;
}

/** Whether the brand has removed somebody, who may have closed their account since. Whoever left by themselves was not removed. */
export const isRemovedByBrand = ({
  status,
  leftAt,
  wasRemoved,
}: Pick<Partner, 'status' | 'leftAt' | 'wasRemoved'>): boolean =>
  status === 'removed' && (leftAt === undefined || wasRemoved === true);

/** What moves a partner from one status to another, and from which ones it may. */
const partnerSteps = {
  /** By the brand. Repeated ones change nothing. */
  remove: { from: ['active', 'removed'], to: 'removed' },
  restore: { from: ['active', 'removed'], to: 'active' },
  invite: { from: ['invited', 'expired', 'rejected', 'removed'], to: 'invited' },
  /** Or the person declines. */
  withdraw: { from: ['invited'], to: 'expired' },
  accept: { from: ['applied'], to: 'active' },
  reject: { from: ['applied'], to: 'rejected' },
  /** By the person. */
  join: { from: ['invited'], to: 'active' },
  leave: { from: ['active'], to: 'removed' },
} as const satisfies Record<string, { readonly from: readonly PartnerStatus[]; readonly to: Partner['status'] }>;

/** @throws Refusal when the step is not possible from the status as it is read, or not against the person's will */
export function checkStep(
  step: keyof typeof partnerSteps,
  partner: Pick<Partner, 'status' | 'invitedAt' | 'leftAt' | 'email'>,
  now: Date,
): void {
  const status = partnerStatusAt(partner, now);
  const { from, to } = partnerSteps[step];
  const isAgainstTheirWill =
    // Who left comes back by an invitation that they accept; who closed their account has no address for one.
    (step === 'restore' && partner.leftAt !== undefined) || (step === 'invite' && partner.email === undefined);
  if (isAgainstTheirWill || !(from as readonly PartnerStatus[]).includes(status))
    throw partnerStatusRefused(to, status);
}

/** How long a rejected person waits before asking again. */
const WAIT_DAYS = 30;

/** From when a rejected person may ask again. */
export const mayApplyFrom = ({ rejectedAt }: Pick<Partner, 'rejectedAt'>): Date | undefined =>
  rejectedAt === undefined ? undefined : new Date(Date.parse(rejectedAt) + WAIT_DAYS * DAY_MS);
