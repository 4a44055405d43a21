import { freezePayouts } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { findOpenMark, openPayoutRemoval } from '#lib/service/earnings/payouts/payouts-items.ts';
import { checkRestoredPayout } from '#lib/service/operations/restore/check-restored-payout.ts';
import { payoutsFound } from '#lib/service/operations/restore/restored-payouts.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Makes the payouts of a program agree with their claims, their commissions and the mark of the open payout. A step of
 * a payout changes all of these in one transaction, and its money may have been sent. So if any item of a step remains,
 * the step was made, and its other items are stored again; see the table at `checkRestoredPayout`. If that is not
 * possible, the payouts of the workspace are frozen, because the next payout might pay the same commissions again.
 */
export async function checkRestoredPayouts(restored: RestoredProgram): Promise<void> {
  const { deps, program, unrepaired } = restored;
  const known = unrepaired.length;
  const payouts = await payoutsFound(restored);
  const openId = (await findOpenMark(deps.table, program.id))?.payoutId;
  for (const payout of payouts) {
    await checkRestoredPayout(restored, payout, openId);
    deps.table.forget();
  }
  if (openId !== undefined && !payouts.some(({ id }) => id === openId)) {
    const removal = openPayoutRemoval({ id: openId, programId: program.id });
    await repair(restored, `payout ${openId}: the mark that it is open`, [removal]);
  }
  if (unrepaired.length === known) return;
  await freezePayouts(deps, program.workspaceId, true, 'operator');
  deps.table.forget();
  const { workspaceId } = program;
  unrepaired.push(
    `workspace ${workspaceId}: its payouts are frozen; put the above right, then payouts thaw --workspace ${workspaceId} --stage <stage>`,
  );
}
