import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes JSON atomically to a file that only its owner may read. */
export async function writeSecretFile(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}

/** Reads the JSON of the file; undefined if there is no such file. */
export async function readSecretFile<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
