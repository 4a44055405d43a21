import { createHmac, randomBytes } from 'node:crypto';
import { type Day, dayOf } from '#lib/domain/day.ts';
import type { Deps } from '#lib/service/deps.ts';

const SALT_BYTES = 16;
const BITS_128 = 22;

/** Salts of this container, by their days. */
const ownSalts = () => new Map<Day, Buffer>();

/** HMAC of a text under a salt of the day: 22 characters, meaningless afterwards. */
export function hashOfDay({ now, once }: Pick<Deps, 'now' | 'once'>, text: string): Promise<string> {
  const [salts, day] = [once(ownSalts), dayOf(now)];
  const salt = salts.get(day) ?? randomBytes(SALT_BYTES);
  salts.set(day, salt);
  return Promise.resolve(createHmac('sha256', salt).update(text).digest('base64url').slice(0, BITS_128));
}
