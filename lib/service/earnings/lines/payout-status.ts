import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { asReadAt } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { LineStatus } from '#lib/service/earnings/lines/payout-line.ts';
import { findStoredLine } from '#lib/service/earnings/lines/payout-lines-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** A commission with the status of the payout line that pays it; undefined if there is none. */
export type WithPayoutStatus<Of extends Commission = Commission> = Of & {
  readonly payoutStatus: LineStatus | undefined;
};

/** A commission with its current status and the status of its payout line. */
export const shownNow = async <Of extends Commission>(
  deps: Pick<Deps, 'table' | 'now'>,
  program: Pick<Program, 'autoApprove'>,
  commission: Of,
): Promise<WithPayoutStatus<Of>> => ({
  ...asReadAt(commission, program, deps.now),
  payoutStatus: await payoutStatusOf(deps, commission),
});

/** A line of a payout of version 1 has an item only after its first change. */
async function payoutStatusOf({ table }: Pick<Deps, 'table'>, commission: Commission): Promise<LineStatus | undefined> {
  const { payoutId, partnerId, currency } = commission;
  if (payoutId === undefined) return undefined;
  return (await findStoredLine(table, { payoutId, partnerId, currency }))?.status ?? 'recorded';
}
