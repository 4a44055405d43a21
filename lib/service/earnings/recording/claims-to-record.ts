import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { asReadAt } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { ListedCommission } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import {
  isDue,
  type UnsettledCommission,
  unsettledPart,
} from '#lib/service/earnings/commissions/unsettled-commission.ts';
import type { Group } from '#lib/service/earnings/payouts/payout.ts';
import type { Plan } from '#lib/service/earnings/recording/plan-payout.ts';
import {
  type Due,
  inClaimOrder,
  isWithin,
  minimumOf,
  paidOfDue,
} from '#lib/service/earnings/recording/planned-lines.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';

/** A commission that a payout line will record: the commission as it is now, and its amount that is due. */
export interface Claimable {
  readonly line: Group;
  readonly before: Commission;
  readonly part: UnsettledCommission;
}

/** A part of a line's commissions that is read and checked together. A large line has several parts. */
interface Portion {
  readonly line: Due<ListedCommission>;
  readonly parts: readonly ListedCommission[];
  /** The due amount of the line's following parts, according to the index. */
  readonly restCents: number;
}

const MOST_IN_PORTION = 500;
/** How many commissions are read ahead of the step that records them: ten batch reads in parallel. */
const READ_AT_ONCE = 1_000;

/**
 * Yields the commissions that a payout records, line by line. The plan was made from the index, which may be a moment
 * behind, and commissions may have changed. So each commission is read again with strong consistency. While the payout
 * records some commissions, the next ones are already read.
 */
export async function* claimsToRecord(
  deps: Deps,
  plan: Plan,
  lines: readonly Due<ListedCommission>[],
): AsyncGenerator<readonly Claimable[]> {
  const groups = groupsOf(lines.flatMap(portionsOf));
  const read = (at: number) => {
    const group = groups[at];
    if (!group) return undefined;
    deps.table.forget();
    const reading = Promise.all(group.map((portion) => asRead(deps, plan, portion)));
    reading.catch(() => undefined);
    return reading;
  };
  let next = read(0);
  let claimedCents = 0;
  let stopped: Due | undefined;
  for (const [at, group] of groups.entries()) {
    const found = await next!;
    next = read(at + 1);
    for (const [index, { line, parts, restCents }] of group.entries()) {
      if (line === stopped) continue;
      if (parts[0] === line.parts[0]) claimedCents = line.heldCents;
      const claims = found[index]!;
      const cents = sumOf([claimedCents, ...claims.map(({ part }) => part.openCents)]);
      // The commissions have just been read again, and the line's amount may turn out not to be due. What the payout
      // has already recorded of the line stays recorded; the rest waits for the next payout.
      if (paidOfDue(sumOf([cents, restCents]), line.currency, minimumOf(plan.program)) === 0) {
        stopped = line;
        continue;
      }
      claimedCents = cents;
      if (claims.length > 0) yield claims;
    }
  }
}

function portionsOf(line: Due<ListedCommission>): Portion[] {
  const portions: Portion[] = [];
  let restCents = line.amountCents;
  for (let at = 0; at < line.parts.length; at += MOST_IN_PORTION) {
    const parts = line.parts.slice(at, at + MOST_IN_PORTION);
    restCents -= sumOf(parts.map(({ openCents }) => openCents));
    portions.push({ line, parts, restCents });
  }
  return portions;
}

function groupsOf(portions: readonly Portion[]): Portion[][] {
  const groups: Portion[][] = [];
  let room = 0;
  for (const portion of portions) {
    if (portion.parts.length > room) {
      groups.push([]);
      room = READ_AT_ONCE;
    }
    groups.at(-1)!.push(portion);
    room -= portion.parts.length;
  }
  return groups;
}

async function asRead(deps: Deps, { program, choice }: Plan, { line, parts }: Portion): Promise<Claimable[]> {
  const found = await Promise.all(parts.map(({ key }) => deps.table.get<Commission>(key)));
  const claimable = found.flatMap((commission): Claimable[] => {
    const before = commission && asReadAt(commission, program, deps.now);
    const part = before && unsettledPart(before);
    const isOfLine = part?.partnerId === line.partnerId && part.currency === line.currency;
    return part && isOfLine && isDue(part) && isWithin(part, choice) ? [{ line, before, part }] : [];
  });
  const byId = new Map(claimable.map((one) => [one.part.id, one]));
  return inClaimOrder(claimable.map(({ part }) => part)).map(({ id }) => byId.get(id)!);
}
