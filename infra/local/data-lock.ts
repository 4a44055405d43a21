import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps a second run away from a folder of data: two engines on one file would lose each other's writes. The lock is the
 * operating system's, so it ends with this process, however that ends.
 * @throws Error with a text for the person at the terminal
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

/** Referred to, because a lock that is collected as garbage is released. */
const locks = new Set<DatabaseSync>();
