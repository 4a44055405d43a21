const KEY = 'last_program';

/** Stores which program was open last in this browser tab. */
export const lastProgram = {
  read: (): number => Number(sessionStorage.getItem(KEY)),
  keep: (programId: number): void => sessionStorage.setItem(KEY, String(programId)),
};
