import { DAY_MS } from '#lib/domain/attribution-window.ts';
import { DEFAULT_LINKS_PER_PARTNER, type Program } from '#lib/domain/program.ts';

/** What a brand may set by itself. */
export const membershipStatuses = ['active', 'removed'] as const;
const storedStatuses = [...membershipStatuses, 'invited', 'applied', 'rejected'] as const;
/** As they are read. */
export const partnerStatuses = [...storedStatuses, 'expired'] as const;
export type PartnerStatus = (typeof partnerStatuses)[number];

/** How long an invitation may be accepted. */
const INVITATION_DAYS = 30;

/**
 * Programs in which a partner's name and e-mail are changed at once. A transaction of the table takes 100 writes, of
 * which two are for the former and the new e-mail and one for the audit list.
 */
export const MOST_CHANGED_PROGRAMS = 97;

/** What a person wrote who asked to become a partner. */
interface Application {
  readonly message?: string;
  readonly website?: string;
  readonly appliedAt: string;
}

/** A partner's relation to one program. The same person has one id in all programs of a workspace. Times are ISO 8601. */
export interface Partner {
  readonly id: number;
  readonly programId: number;
  readonly name: string;
  readonly email: string;
  /** As it is stored: an invitation that has ended is still `invited`. */
  readonly status: (typeof storedStatuses)[number];
  /** Short links, oldest first; also those of them that are inactive. */
  readonly links: readonly string[];
  /** Of these, the active ones that the partner made. */
  readonly ownLinks?: readonly string[];
  /** The account of this person; absent until somebody signs in with the address. */
  readonly accountId?: number;
  /** Of the newest invitation. */
  readonly invitedAt?: string;
  /** When the partner first became active; absent where the brand added it without an invitation. */
  readonly joinedAt?: string;
  readonly application?: Application;
  readonly rejectedAt?: string;
  readonly rejectionReason?: string;
  /** When the partner left by itself. */
  readonly leftAt?: string;
  /** The newest partner terms that the person accepted. */
  readonly acceptedTerms?: { readonly version: number; readonly at: string };
  /** Why this partner gets no mails; absent: it does. It follows a little later. */
  readonly mail?: 'refused' | 'suppressed';
  readonly createdAt: string;
}

/** The status as it is read at this time. */
export const partnerStatusAt = (
  { status, invitedAt }: Pick<Partner, 'status' | 'invitedAt'>,
  now: Date,
): PartnerStatus => (status === 'invited' && invitedAt !== undefined && hasEnded(invitedAt, now) ? 'expired' : status);

const hasEnded = (invitedAt: string, now: Date): boolean =>
  now.getTime() >= Date.parse(invitedAt) + INVITATION_DAYS * DAY_MS;

/** The version of a program's partner terms that a partner has still to accept, if any. */
export const termsToAccept = (
  { partnerTermsVersion }: Pick<Program, 'partnerTermsVersion'>,
  { acceptedTerms }: Pick<Partner, 'acceptedTerms'>,
): number | undefined => (acceptedTerms?.version === partnerTermsVersion ? undefined : partnerTermsVersion);

/** How many links a partner may still make; the brand may have lowered their number meanwhile. */
export const linksLeft = (
  { linksPerPartner = DEFAULT_LINKS_PER_PARTNER }: Pick<Program, 'linksPerPartner'>,
  { ownLinks = [] }: Pick<Partner, 'ownLinks'>,
): number => Math.max(0, linksPerPartner - ownLinks.length);
