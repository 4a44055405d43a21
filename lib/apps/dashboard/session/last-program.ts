const KEY = 'last_program';

/** Reads and stores the program that was last open in this browser tab. */
export const lastProgram = {
  read: (): number => Number(sessionStorage.getItem(KEY)),
  keep: (programId: number): void => sessionStorage.setItem(KEY, String(programId)),
};
