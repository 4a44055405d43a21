import type { Account } from '#lib/service/ground/addresses/account.ts';
import { countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type Day, dayOf, monthOf } from '#lib/service/ground/values/day.ts';
import { firstActiveLink } from '#lib/service/programs/links/first-link.ts';
import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import { nextPayoutDay } from '#lib/service/programs/program/payout-days.ts';
import { type JoinedProgram, joinedPrograms } from '#lib/service/reports/exports/list-own-programs.ts';
import {
  isOwed,
  type OverviewAmounts,
  overviewAmounts,
  summedAmounts,
} from '#lib/service/reports/exports/overview-amounts.ts';
import { partnerBalance } from '#lib/service/reports/exports/partner-balance.ts';

/** A program in which the account is or was a partner, with its figures of this month and its balances. */
export interface ProgramFigures extends Pick<JoinedProgram, 'program' | 'partner' | 'status' | 'brand'> {
  readonly clicks: number;
  readonly sales: number;
  readonly amounts: Readonly<Record<Currency, OverviewAmounts>>;
  /** The partner's oldest active link. */
  readonly link?: ReferralLink;
  readonly nextPayoutOn?: Day;
}

/** The programs of an account at a glance. */
export interface OwnOverview {
  /** The month of the figures, UTC: `2026-11`. */
  readonly month: string;
  readonly programs: readonly ProgramFigures[];
  /** Sums of all programs except sandboxes, whose amounts are not real. */
  readonly totals: ProgramFigures['amounts'];
  readonly nextPayoutOn?: Day;
  /** Whether `programs` contains all programs of the account. */
  readonly isComplete: boolean;
}

const MOST_SHOWN = 50;
/** How many programs' figures are read at once. */
const READ_AT_ONCE = 25;

/** The figures of all programs in which an account is or was a partner, active and newest ones first. */
export async function ownOverview(deps: Deps, account: Account): Promise<OwnOverview> {
  const joined = (await joinedPrograms(deps, account))
    .filter(({ status }) => status === 'active' || status === 'removed')
    .toSorted(activeAndNewestFirst);
  const all: ProgramFigures[] = [];
  for (let at = 0; at < joined.length; at += READ_AT_ONCE) {
    const some = joined.slice(at, at + READ_AT_ONCE);
    all.push(...(await Promise.all(some.map((one, index) => figuresOf(deps, one, at + index < MOST_SHOWN)))));
  }
  const real = all.filter(({ program }) => !program.isSandbox);
  const programs = all.slice(0, MOST_SHOWN);
  return {
    month: monthOf(dayOf(deps.now)),
    programs,
    totals: summedAmounts(real.map(({ amounts }) => amounts)),
    nextPayoutOn: real.flatMap(({ nextPayoutOn }) => nextPayoutOn ?? []).toSorted()[0],
    isComplete: programs.length === all.length,
  };
}

const joinedTime = ({ partner }: JoinedProgram): string => partner.joinedAt ?? partner.createdAt;

const activeAndNewestFirst = (one: JoinedProgram, other: JoinedProgram): number =>
  Number(other.status === 'active') - Number(one.status === 'active') ||
  (joinedTime(one) === joinedTime(other) ? 0 : joinedTime(one) < joinedTime(other) ? 1 : -1) ||
  other.program.id - one.program.id;

/** Loads the figures of a program. @param isShown whether the program is shown, so that its link is needed */
async function figuresOf(
  deps: Deps,
  { program, partner, status, brand }: JoinedProgram,
  isShown: boolean,
): Promise<ProgramFigures> {
  const today = dayOf(deps.now);
  const counter = { of: 'partner', programId: program.id, partnerId: partner.id } as const;
  const [balances, counts, link] = await Promise.all([
    partnerBalance(deps, program, partner),
    countsOf(deps.table, counter, { from: `${monthOf(today)}-01`, to: today }),
    // The links of a person who has left the program count no clicks any more, so none is shown.
    isShown && status === 'active' ? firstActiveLink(deps.table, partner) : undefined,
  ]);
  const { clicks, sales } = counts;
  const amounts = overviewAmounts(balances, counts.amounts);
  // No payout day is shown to a person who has left and is owed nothing.
  const nextPayoutOn = status === 'active' || isOwed(balances) ? nextPayoutDay(program, today) : undefined;
  return { program, partner, status, brand, clicks, sales, amounts, link, nextPayoutOn };
}
