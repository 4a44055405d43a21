import type { Program } from '#lib/domain/program.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** A program of a restored table, and what was found of it so far. */
export interface RestoredProgram {
  readonly deps: OperatorDeps;
  readonly program: Program;
  readonly repaired: string[];
  /** What a person has to decide. */
  readonly unrepaired: string[];
}

/** Carries out writes that restore what belongs together. */
export async function repair(
  { deps: { table }, repaired }: Pick<RestoredProgram, 'deps' | 'repaired'>,
  what: string,
  writes: readonly Write[],
): Promise<void> {
  await table.transact(writes);
  table.forget();
  repaired.push(what);
}
