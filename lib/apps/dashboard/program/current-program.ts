import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Program } from '#lib/wire/programs/program.ts';
import type { OwnersWarnings } from '#lib/wire/programs/rotation.ts';

/** The program whose pages are open. */
export interface CurrentProgram {
  readonly program: Program;
  /** Warnings for owners: the program key must be replaced, or no longer works. */
  readonly warnings: OwnersWarnings;
  readonly reload: () => Promise<void>;
  /** Path of the program in the API. */
  readonly path: string;
}

export const CurrentProgramContext = createContext<CurrentProgram | undefined>(undefined);

/** The program whose pages are open; their addresses begin with `/programs/{id}`. */
export const useProgram = (): CurrentProgram => useContext(CurrentProgramContext)!;
