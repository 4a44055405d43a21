import type { Program } from '#lib/service/programs/program/program.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A program of a restored table, and what the check has found and repaired so far. */
export interface RestoredProgram {
  readonly deps: OperatorDeps;
  readonly program: Program;
  readonly repaired: string[];
  /** What could not be repaired, so that a person must decide. */
  readonly unrepaired: string[];
}

/** Repairs related items by writes in one transaction, and adds the repair to the report. */
export async function repair(
  { deps: { table }, repaired }: Pick<RestoredProgram, 'deps' | 'repaired'>,
  what: string,
  writes: readonly Write[],
): Promise<void> {
  await table.transact(writes);
  table.forget();
  repaired.push(what);
}
