import type { Actor, Commission } from '#lib/domain/commission.ts';
import { approved, asReadAt, rejected } from '#lib/domain/commission-lifecycle.ts';
import { commissionNotFound, programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { changedCommissionWrite, findCommissionById } from '#lib/service/store/commissions.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { findCommission } from '#lib/service/store/sales.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** The commission of a program. @param commissionId undefined when what was sent cannot be an id @throws Refusal */
export async function commissionOf(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  commissionId: number | undefined,
): Promise<Commission> {
  const commission = commissionId === undefined ? undefined : await findCommissionById(table, commissionId);
  if (commission?.programId !== programId) throw commissionNotFound();
  return commission;
}

type Named = Pick<Commission, 'transactionId' | 'programId'>;

/** Approves a commission, also before its hold is over. One that reads as approved stays as it is. @throws Refusal */
export const approveCommission = (deps: Deps, of: Named, actor: Actor) =>
  decide(deps, of, (commission) =>
    commission.status === 'approved' ? commission : approved(commission, { actor, at: deps.now }),
  );

/** @param reason 1 to 500 characters @throws Refusal */
export const rejectCommission = (deps: Deps, of: Named, reason: string, actor: Actor) =>
  decide(deps, of, (commission) => rejected(commission, reason, { actor, at: deps.now }));

/** @param decision on the commission as it reads; the same one back = nothing is written */
const decide = (
  deps: Deps,
  { transactionId, programId }: Named,
  decision: (commission: Commission) => Commission,
): Promise<Commission> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const [stored, program] = await Promise.all([findCommission(table, transactionId), findProgram(table, programId)]);
    if (!program) throw programNotFound();
    if (!stored) throw commissionNotFound();
    const before = asReadAt(stored, program, now);
    const after = decision(before);
    if (after !== before) await table.transact([changedCommissionWrite(stored, after)]);
    return after;
  });
