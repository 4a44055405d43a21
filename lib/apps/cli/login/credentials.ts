import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { readIfThere, writeFileAtomic } from '#lib/apps/cli/project/write-file-atomic.ts';

/** A person's login, as it is stored in `~/.service/credentials.json`. */
export interface Credentials {
  readonly token: string;
  readonly email: string;
  /** The id of the person's workspace; null until the person belongs to one. */
  readonly advertiser_id: number | null;
  /** Address of the service that issued the token. */
  readonly api_url: string;
  /** When the token expires, ISO 8601. */
  readonly expires_at: string;
  readonly created_at: string;
}

const fileIn = (home: string) => join(home, '.service', 'credentials.json');

/**
 * Reads the login from the person's home folder.
 * @returns undefined if there is no login, if it has expired, or if the file is invalid
 */
export async function readCredentials(home: string, nowMs: number): Promise<Credentials | undefined> {
  const credentials = parsed((await readIfThere(fileIn(home))) ?? '');
  return credentials && Date.parse(credentials.expires_at) > nowMs ? credentials : undefined;
}

/** Stores the login in a file that only its owner may read. */
export async function writeCredentials(home: string, credentials: Credentials): Promise<void> {
  const file = fileIn(home);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${JSON.stringify(credentials, undefined, 2)}\n`, 0o600);
}

export const removeCredentials = (home: string): Promise<void> => rm(fileIn(home), { force: true });

export const notLoggedIn = () =>
  new Failure('You are not logged in, or your login has expired. Run `affitor login`.', { code: 'not_logged_in' });

function parsed(text: string): Credentials | undefined {
  try {
    const value = JSON.parse(text) as Partial<Credentials> | null;
    // A token with other characters counts as invalid, because the error of `fetch` would contain it.
    return typeof value?.token === 'string' && /^[\x21-\x7e]+$/.test(value.token) ? (value as Credentials) : undefined;
  } catch {
    return undefined;
  }
}
