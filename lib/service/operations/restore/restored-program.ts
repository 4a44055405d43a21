import type { Program } from '#lib/service/programs/program/program.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A program of a restored table, and the findings so far. */
export interface RestoredProgram {
  readonly deps: OperatorDeps;
  readonly program: Program;
  readonly repaired: string[];
  /** Cases that a person must decide. */
  readonly unrepaired: string[];
}

/** Executes writes that repair related items in one transaction, and notes the repair for the report. */
export async function repair(
  { deps: { table }, repaired }: Pick<RestoredProgram, 'deps' | 'repaired'>,
  what: string,
  writes: readonly Write[],
): Promise<void> {
  await table.transact(writes);
  table.forget();
  repaired.push(what);
}
