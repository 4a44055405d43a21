import { createHmac } from 'node:crypto';
import { type Day, dayOf } from '#lib/service/ground/values/day.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { agreeOnSalt, findSalt } from '#lib/service/ground/counters/salts-items.ts';

type SaltDeps = Pick<Deps, 'now' | 'once' | 'random' | 'table'>;

/** Salts that this container knows, by their days. */
const knownSalts = () => new Map<Day, string>();

/**
 * The salt of a day, the request's own by default: all containers have the same, and after two days nobody has it.
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
    // By its name a throttled salt would pass for a throttled window.
    throw new Error('The salt of the day is not known', { cause });
  }
}

const BITS_128 = 22;

/** HMAC of a text under the salt of a day: 22 characters, the same for all containers, and meaningless afterwards. */
export const hashOfDay = async (deps: SaltDeps, text: string, day?: Day): Promise<string> =>
  createHmac('sha256', await saltOf(deps, day))
    .update(text)
    .digest('base64url')
    .slice(0, BITS_128);

const NETWORK_CHARACTERS = 8;

/** What is kept of a customer's network: enough to find others from it on the same day. @param hash of the day */
export const networkOf = (hash: string): string => hash.slice(0, NETWORK_CHARACTERS);
