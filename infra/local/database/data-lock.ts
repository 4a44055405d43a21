import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Locks a data folder for this process. Two local runs with the same folder would be two engines on one file, which
 * overwrite each other's data. The operating system releases the lock when this process ends.
 * @throws Error with a message for the terminal, if another run has locked the folder
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

/** Holds references to the locks, because a lock would be released if it was garbage-collected. */
const locks = new Set<DatabaseSync>();
