import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { listOlderPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { everyCommission } from '#lib/service/operations/restore/restored-items.ts';

/**
 * Lists the payouts of a program that were made before payouts were listed; their commissions name them. Repeating it is
 * safe. @returns ids of those that were not listed yet. @throws Refusal when there is no such program
 */
export async function listOlderPayouts({ table }: OperatorDeps, programId: number): Promise<number[]> {
  if (!(await findProgram(table, programId))) throw programNotFound();
  const seen = new Set<number>();
  const listed: number[] = [];
  for await (const { payoutId } of everyCommission(table, programId)) {
    if (payoutId === undefined || seen.has(payoutId)) continue;
    seen.add(payoutId);
    if (await listOlderPayout(table, payoutId)) listed.push(payoutId);
  }
  return listed;
}
