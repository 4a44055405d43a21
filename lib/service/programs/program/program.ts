import type { CodePrecedence } from '#lib/service/programs/links/code.ts';
import type { CommissionBase } from '#lib/service/programs/terms/commission-base.ts';
import { type Currency } from '#lib/service/ground/values/currency.ts';
import type { ProcessorLink } from '#lib/service/programs/program/processor.ts';
import { leadCommissionsNeedServer } from '#lib/service/ground/values/refusals.ts';
import type { TrafficSettings } from '#lib/service/programs/terms/rules.ts';
import {
  type AgreedTerms,
  type CommissionTerms,
  rateFor,
  type Terms,
  type TermsApply,
  termsIn,
  type TermsInForce,
  tierSalesOf,
} from '#lib/service/programs/terms/terms.ts';

export const DEFAULT_WINDOW_DAYS = 60;

export const leadPolicies = ['server_required', 'browser_allowed'] as const;
type LeadAuth = (typeof leadPolicies)[number];

export const programStatuses = ['active', 'paused'] as const;

export const MOST_PARTNERS = 10_000;
export const MOST_LINKS = 20_000;
/** The highest minimum of a payout that a program may set, in cents. */
export const MOST_MINIMUM_CENTS = 100_000_000;
/** The highest limit for approvals by members, in cents. */
export const MOST_APPROVAL_CENTS = 100_000_000;

/**
 * Who may become a partner: `closed` = only people whom the brand adds, `apply` = applicants whom the brand accepts,
 * `open` = anyone.
 */
export const joinPolicies = ['closed', 'apply', 'open'] as const;
export type JoinPolicy = (typeof joinPolicies)[number];

export const DEFAULT_LINKS_PER_PARTNER = 5;
export const MOST_LINKS_PER_PARTNER = 50;
/** Maximum characters of the partner terms. */
export const LONGEST_PARTNER_TERMS = 20_000;
/** How many characters the note on statements may have. */
export const LONGEST_STATEMENT_NOTE = 2_000;
/** How many payout days a program may have, and the last possible one: a day that every month has. */
export const PAYOUT_DAYS = { most: 4, last: 28 } as const;

/** A brand's program, with its own terms. Times are ISO 8601. */
export interface Program extends Terms, TrafficSettings {
  readonly id: number;
  readonly workspaceId: number;
  readonly slug: string;
  readonly name: string;
  readonly domain: string;
  readonly status: (typeof programStatuses)[number];
  /**
   * A sandbox is for rehearsals: test payments earn, and nothing is sent to other systems. Fixed when the program is
   * created; absent = no sandbox.
   */
  readonly isSandbox?: boolean;
  /**
   * The currency of fixed commissions, and of the amounts by which partners and links are ranked. Changing it affects
   * no existing commission.
   */
  readonly currency: Currency;
  /** The base of percentage commissions; absent means `gross`. */
  readonly commissionBase?: CommissionBase;
  /**
   * Whether a link or a code decides the attribution. Absent means `link_first`: the code of a payment is used only
   * when no customer is found in another way.
   */
  readonly codePrecedence?: CodePrecedence;
  /** The minimum amount that a payout pays to a partner, in the program's currency; absent = 0. */
  readonly minimumPayoutCents?: number;
  /** Days of the month on which the brand plans to pay, in order; absent = none. Nothing is paid automatically. */
  readonly payoutDays?: readonly number[];
  /** Text on the statements of payouts, such as the tax note of a self-billed invoice; absent = none. */
  readonly statementNote?: string;
  readonly attributionWindowDays: number;
  readonly leadAuth: LeadAuth;
  readonly allowedOrigins: readonly string[];
  readonly autoApprove: boolean;
  /** The largest commission that members may approve, in its own currency; absent = no limit. */
  readonly memberApprovalCents?: number;
  /** Which terms apply to renewals; absent means `current`. The currency is always the program's present one. */
  readonly termsApply?: TermsApply;
  /** The version of the program's own terms; absent = 1. */
  readonly termsVersion?: number;
  /** The highest version of any terms of the program; absent = 1. */
  readonly lastTermsVersion?: number;
  /** Who may become a partner; absent means `closed`: only the brand adds partners. */
  readonly join?: JoinPolicy;
  /** Maximum active links that a partner may create; absent = 5. It does not limit the brand. */
  readonly linksPerPartner?: number;
  /** Whether partners see e-mail addresses of customers; absent means that they see nothing of an address. */
  readonly shareCustomerEmails?: boolean;
  /** The version of the text that partners must accept; absent = there is no text. */
  readonly partnerTermsVersion?: number;
  /** The highest version that this text ever had; absent = there was no text yet. */
  readonly lastPartnerTermsVersion?: number;
  /** How many partners were ever added, including removed ones. Invited people and applicants count when they join. */
  readonly partnerCount: number;
  /** How many people are invited or have applied, and have not joined. Applicants in the queue are not included. */
  readonly candidateCount?: number;
  /** Queued applicants who have not joined. */
  readonly queuedCount?: number;
  /** Ids of removed partners. They are stored here so that a sale needs no further read. */
  readonly removedPartnerIds: readonly number[];
  /** Set if the program's partners are listed by address (`partnerAt`); absent for programs of former versions. */
  readonly listsAddresses?: true;
  /** Set if the search finds partners, links and codes by words of their names; absent in programs of old versions. */
  readonly listsWords?: true;
  /** Random for each program, so that hashes of e-mail addresses cannot be compared across programs. */
  readonly emailSalt: string;
  /** SHA-256 of the program key in force. */
  readonly keyHash: string;
  readonly keyMasked: string;
  /** When an owner last generated the key; absent until then. */
  readonly keyRotatedAt?: string;
  /** The connection to the card processor; absent if there is none. */
  readonly processor?: ProcessorLink;
  /** The number of changes by people; absent before the first change. */
  readonly revision?: number;
  /**
   * Since when the program's facts are stored. Null if its facts were never requested. Absent if they are stored since
   * the program's creation.
   */
  readonly factsSince?: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const FIRST_VERSION = 1;

/** The program's own terms, for partners without other terms. */
export const ownTerms = (program: Program): TermsInForce => ({
  ...termsIn(program),
  version: { version: program.termsVersion ?? FIRST_VERSION, from: 'program', name: program.name },
});

/** The version of the next change of any terms of the program. */
export const nextTermsVersion = ({ lastTermsVersion = FIRST_VERSION }: Program): number => lastTermsVersion + 1;

/** The terms by which the commission for a sale is computed. The currency is always the program's present one. */
export const termsOfSale = (program: Program, agreed: AgreedTerms, platformFeeBps: number): CommissionTerms => ({
  commissionType: agreed.terms.commissionType,
  commissionRate: rateFor(agreed.terms, agreed.monthlySales?.sales ?? 0),
  currency: program.currency,
  durationMonths: agreed.terms.durationMonths,
  holdPeriodDays: agreed.terms.holdPeriodDays,
  platformFeeBps,
  version: agreed.terms.version,
  tierSales: tierSalesOf(agreed),
});

/**
 * Checks that no terms of the program pay for leads, if browsers may send leads without a server's confirmation. Anyone
 * can send such a lead.
 * @throws Refusal
 */
export function checkLeadCommissions({ leadAuth }: Pick<Program, 'leadAuth'>, terms: readonly Terms[]): void {
  const paysForLeads = terms.some(({ leadCommissionCents = 0 }) => leadCommissionCents > 0);
  if (leadAuth === 'browser_allowed' && paysForLeads) throw leadCommissionsNeedServer();
}

/** The program with a new text that partners must accept. @param text empty = there is no text */
export function withTermsText(program: Program, text: string): Program {
  if (text === '') return { ...program, partnerTermsVersion: undefined };
  const version = (program.lastPartnerTermsVersion ?? 0) + 1;
  return { ...program, partnerTermsVersion: version, lastPartnerTermsVersion: version };
}

/** Whether a payment of the processor counts: in a sandbox test payments count, elsewhere live payments. */
export const isRealIn = ({ isSandbox = false }: Pick<Program, 'isSandbox'>, isLive: boolean): boolean =>
  isLive !== isSandbox;

export const activePartnerCount = ({ partnerCount, removedPartnerIds }: Program): number =>
  partnerCount - removedPartnerIds.length;

/** The program's name in lower case, with `-` for everything but letters and digits. It is not unique. */
export const slugOf = (name: string, programId: number): string =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['program', String(programId)]).join('-');

/** Since when a program's facts are stored, ISO 8601; undefined if its facts were never requested. */
export const factsBegunAt = ({
  factsSince,
  createdAt,
}: Pick<Program, 'factsSince' | 'createdAt'>): string | undefined =>
  factsSince === null ? undefined : (factsSince ?? createdAt);
