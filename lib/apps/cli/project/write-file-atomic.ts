import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file atomically: after a crash it contains either the old or the new text. */
export async function writeFileAtomic(file: string, text: string, mode: number): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    await writeFile(unfinished, text, { mode });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reads the text of a file; undefined if there is no such file. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
