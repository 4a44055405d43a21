import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Code } from '#lib/service/programs/links/code.ts';
import type { WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { codesOfPartner } from '#lib/service/programs/links/codes-items.ts';
import { findLink } from '#lib/service/programs/links/links-items.ts';
import type { PartnerPayout } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import { type Billing, billingOf } from '#lib/service/programs/payout-details/billing.ts';
import { findPayoutDetails } from '#lib/service/programs/payout-details/payout-details-items.ts';
import { listOwnCommissions } from '#lib/service/reports/exports/list-own-commissions.ts';
import { listOwnCustomers, type OwnCustomer } from '#lib/service/reports/exports/list-own-customers.ts';
import { listOwnPayouts } from '#lib/service/reports/exports/list-own-payouts.ts';
import { joinedPrograms, type JoinedProgram } from '#lib/service/reports/exports/list-own-programs.ts';

/** What a person has earned in one program. These lists grow with the number of sales; the newest are first. */
interface Earnings {
  readonly commissions: readonly WithPayoutStatus[];
  readonly payouts: readonly PartnerPayout[];
  readonly customers: readonly OwnCustomer[];
}

/** A person's data as a partner of one program. */
export interface ExportedProgram extends JoinedProgram, Earnings {
  readonly links: readonly ReferralLink[];
  readonly codes: readonly Code[];
}

export interface ExportedPerson {
  readonly account: Account;
  readonly payoutDetails?: ShownPayoutDetails;
  readonly billing?: Billing;
  readonly programs: readonly ExportedProgram[];
  /**
   * Whether the export is complete. It is not if the person has too many links, codes or earnings for one reply. Brands
   * can create many links and codes by API, and the number of sales is unlimited.
   */
  readonly isComplete: boolean;
}

/**
 * Maximum number of links and codes together. At about 300 bytes each, plus the URLs of links, the reply stays below
 * Lambda's limit of 6 MB.
 */
const MOST_ROWS = 5_000;
/** Maximum total length of the links' destination URLs. */
const MOST_CHARACTERS = 2_500_000;

/** Maximum number of entries per list, newest first. The program's own lists show older entries. */
const mostEarnings = { commissions: 500, payouts: 100, customers: 500 };
/** Maximum number of entries in all programs together. */
const MOST_EARNINGS = 1_000;
/** Maximum number of commissions that are listed with their payouts. */
const MOST_NAMED = 50_000;
/** Maximum number of programs in an export. Reading the lists of more programs would take too long for one request. */
const MOST_PROGRAMS = 100;

const nothing: Earnings & { readonly isComplete: boolean } = {
  commissions: [],
  payouts: [],
  customers: [],
  isComplete: false,
};

/** All data stored for an account as a partner, as far as it fits into one reply. */
export async function exportPerson(deps: Deps, account: Account): Promise<ExportedPerson> {
  const { table } = deps;
  const [programs, payoutDetails, billing] = await Promise.all([
    joinedPrograms(deps, account),
    findPayoutDetails(table, account.id),
    billingOf(deps, account.id),
  ]);
  const exported: ExportedProgram[] = [];
  let room = MOST_ROWS;
  let characters = MOST_CHARACTERS;
  let isComplete = true;
  let earningsRoom = MOST_EARNINGS;
  let namedRoom = MOST_NAMED;
  for (const [index, joined] of programs.entries()) {
    const { links: shortLinks, programId, id } = joined.partner;
    const stored = await Promise.all(shortLinks.slice(0, room).map((shortLink) => findLink(table, shortLink)));
    const found = stored.filter((link) => link !== undefined);
    const cut = found.findIndex(({ destinationUrl }) => (characters -= destinationUrl.length) < 0);
    const links = cut === -1 ? found : found.slice(0, cut);
    isComplete &&= shortLinks.length <= room && cut === -1;
    room -= links.length;
    const { items: codes } = await codesOfPartner(table, programId, id, { most: room + 1 });
    isComplete &&= codes.length <= room;
    const earned = index < MOST_PROGRAMS ? await earnings(deps, joined, { earningsRoom, namedRoom }) : nothing;
    const { commissions, payouts, customers } = earned;
    isComplete &&= earned.isComplete;
    earningsRoom -= commissions.length + payouts.length + customers.length;
    namedRoom -= namedIn(payouts);
    exported.push({ ...joined, links, codes: codes.slice(0, room), commissions, payouts, customers });
    room = Math.max(0, room - codes.length);
  }
  return { account, payoutDetails, billing, programs: exported, isComplete };
}

const namedIn = (payouts: readonly PartnerPayout[]): number =>
  sumOf(payouts.map(({ commissionIds }) => commissionIds.length));

interface Room {
  readonly earningsRoom: number;
  readonly namedRoom: number;
}

/** The newest entries of each list, within the limits. */
async function earnings(
  deps: Deps,
  { program, partner }: JoinedProgram,
  { earningsRoom, namedRoom }: Room,
): Promise<Earnings & { readonly isComplete: boolean }> {
  const each = Math.floor(earningsRoom / 3);
  if (each === 0) return nothing;
  const pageOf = (list: keyof Earnings) => ({ most: Math.min(each, mostEarnings[list]) });
  const [commissions, payouts, customers] = await Promise.all([
    listOwnCommissions(deps, program, partner, {}, pageOf('commissions')),
    listOwnPayouts(deps, partner, undefined, pageOf('payouts')),
    listOwnCustomers(deps, program, partner, pageOf('customers')),
  ]);
  const fitting = payouts.items.filter((_, index) => namedIn(payouts.items.slice(0, index + 1)) <= namedRoom);
  return {
    commissions: commissions.items,
    payouts: fitting,
    customers: customers.items,
    isComplete:
      fitting.length === payouts.items.length &&
      [commissions, payouts, customers].every(({ next }) => next === undefined),
  };
}
