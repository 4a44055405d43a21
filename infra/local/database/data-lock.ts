import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Prevents a second run with the same data folder: two engines on one file would overwrite each other's data. The
 * operating system releases the lock when this process ends.
 * @throws Error with a message for the terminal
 */
export function lockDataDir(folder: string): void {
  const lock = new DatabaseSync(join(folder, 'lock.db'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(`DATA_DIR ${folder} is used by another run. End that one, or choose another folder.`, { cause });
  }
  locks.add(lock);
}

/** Keeps a reference, because garbage collection would release the lock. */
const locks = new Set<DatabaseSync>();
