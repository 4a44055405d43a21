import type { Commission } from '#lib/domain/commission.ts';
import type { Payout, PayoutRequest } from '#lib/domain/payout.ts';
import { changedCommissionWrite } from '#lib/store/commissions.ts';
import type { Condition } from '#lib/store/expressions.ts';
import { keys } from '#lib/store/keys.ts';
import type { Table } from '#lib/store/table.ts';
import type { Write } from '#lib/store/writes.ts';

/** A payout on its way, with the number of steps it has taken. */
export type OpenPayout = Payout & { readonly steps: number };

const openKey = (programId: number, { partnerId, through }: PayoutRequest) =>
  keys.openPayout(programId, partnerId, through);

/** The payout of the same request that somebody has begun and not ended. */
export const findOpenPayout = (
  table: Table,
  programId: number,
  request: PayoutRequest,
): Promise<OpenPayout | undefined> => table.get<OpenPayout>(openKey(programId, request));

/** A commission as it reads, and as the payout leaves it. */
export interface PaidCommission {
  readonly before: Commission;
  readonly after: Commission;
}

/** Commissions that fit into one step, beside the payout's own two writes: a transaction takes 100. */
export const MOST_COMMISSIONS_A_STEP = 98;

/**
 * One step of a payout: its commissions change and the payout comes to hold them in one transaction, so each of them is
 * in one payout and the payout holds what was really claimed, wherever it is interrupted. Two requests that work on one
 * payout race for its steps; the loser plans again. Only who takes the last step has ended it.
 * @param before the payout as found, absent at its first step
 * @param isLast whether nothing is left to be claimed
 */
export function payoutStepWrites(
  before: OpenPayout | undefined,
  payout: Payout,
  commissions: readonly PaidCommission[],
  isLast: boolean,
): Write[] {
  const steps = before?.steps ?? 0;
  const condition: Condition = before ? { equals: { id: before.id, steps } } : { isNew: true };
  const open = { name: 'openPayout', key: openKey(payout.programId, payout), condition };
  return [
    ...commissions.map((commission) => changedCommissionWrite(commission.before, commission.after)),
    ...(isLast ? [paidWrite(payout)] : [{ ...open, put: { ...payout, steps: steps + 1 } satisfies OpenPayout }]),
    ...(isLast && before ? [{ ...open, remove: true as const }] : []),
  ];
}

const paidWrite = ({ id, programId, partnerId, through, items, createdAt }: Payout): Write => ({
  name: 'payout',
  key: keys.payout(id),
  put: { id, programId, partnerId, through, items, createdAt } satisfies Payout,
  condition: { isNew: true },
});
