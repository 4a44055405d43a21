import { createHmac } from 'node:crypto';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { agreeOnSalt, findSalt } from '#lib/service/ground/counters/salts-items.ts';

type SaltDeps = Pick<Deps, 'now' | 'once' | 'random' | 'table'>;

/** Salts that this container has cached, by day. */
const knownSalts = () => new Map<Day, string>();

/**
 * The salt of a day, by default of the request's day. All containers use the same salt, and it is deleted after two
 * days.
 * @throws Error
 */
export async function saltOf({ now, once, random, table }: SaltDeps, day: Day = dayOf(now)): Promise<string> {
  const known = once(knownSalts);
  const remembered = known.get(day);
  if (remembered !== undefined) return remembered;
  try {
    const salt = (await findSalt(table, day)) ?? (await agreeOnSalt(table, day, random.salt()));
    if (known.size > 1) known.clear();
    known.set(day, salt);
    return salt;
  } catch (cause) {
    // The error is wrapped. Otherwise a throttling error would be mistaken for one of the rate limit, which is handled
    // in another way.
    throw new Error('The salt of the day is not known', { cause });
  }
}

const BITS_128 = 22;

/**
 * HMAC of a text with the salt of a day, 22 characters. It is the same in all containers, and no one can compute it
 * after the salt is deleted.
 */
export const hashOfDay = async (deps: SaltDeps, text: string, day?: Day): Promise<string> =>
  createHmac('sha256', await saltOf(deps, day))
    .update(text)
    .digest('base64url')
    .slice(0, BITS_128);

const NETWORK_CHARACTERS = 8;

/**
 * The part of a customer's network hash that is stored: enough to find other customers from the same network on the
 * same day.
 * @param hash from `hashOfDay`
 */
export const networkOf = (hash: string): string => hash.slice(0, NETWORK_CHARACTERS);
