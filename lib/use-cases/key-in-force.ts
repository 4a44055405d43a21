import type { ProgramKey } from '#lib/domain/credential.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/deps.ts';
import { findKey } from '#lib/store/programs.ts';

/** What the table knows of a program's key in force, its rotation mark included. */
export const keyInForce = ({ table }: Deps, program: Program): Promise<ProgramKey | undefined> =>
  findKey(table, program);
