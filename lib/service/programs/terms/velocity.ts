import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import type { FirstClicks } from '#lib/service/ground/counters/counter.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';

/**
 * What was noted of a program's traffic. Members are numbers, because they are kept in an item that every sale reads:
 * of a link and a minute (`clickBurstOf`), or of a partner, a day and a network (`signupBurstOf`). Later ones are larger.
 */
export interface Bursts {
  /** Minutes in which first clicks of a link came from more networks than the program's `velocityClicks`. */
  readonly clickBursts?: ReadonlySet<number>;
  /** Networks from which most settled signups of a partner came on a day. */
  readonly signupBursts?: ReadonlySet<number>;
}

const MINUTE_MS = 60_000;
const HASHES = 2 ** 24;
const HASH_DIGITS = 6;
const SIGNUP_HASHES = 2 ** 36;
const SIGNUP_HASH_DIGITS = 9;

/** By a short hash of the link: another one would have to have the same hash, and a first click in the same minute. */
const hashOf = (shortLink: string): number => Number.parseInt(sha256(shortLink).slice(0, HASH_DIGITS), 16);

/** @param at ISO 8601 */
export const clickBurstOf = (shortLink: string, at: string): number =>
  Math.floor(Date.parse(at) / MINUTE_MS) * HASHES + hashOf(shortLink);

/** @param at ISO 8601 @param network of the customer, see `CustomerTraits` */
export const signupBurstOf = (partnerId: number, at: string, network: string): number =>
  Math.floor(Date.parse(at) / DAY_MS) * SIGNUP_HASHES +
  Number.parseInt(sha256(`${partnerId} ${network}`).slice(0, SIGNUP_HASH_DIGITS), 16);

/** A customer, as far as its first click and its signup matter. */
interface Arrival {
  /** Absent: a code brought the customer. */
  readonly shortLink?: string;
  readonly firstClickAt: string;
  readonly partnerId?: number;
  readonly signupAt?: string;
  readonly traits?: CustomerTraits;
}

/**
 * What speaks for the rule `velocity`, in words without personal data; undefined where nothing does. Anybody can send
 * clicks and signups through anybody's link, so it holds only customers of the burst itself, and blames nobody.
 */
export function velocityEvidence(
  { bursts }: { readonly bursts?: Bursts },
  { shortLink, firstClickAt, partnerId, signupAt, traits: { network } = {} }: Arrival,
): string | undefined {
  if (shortLink !== undefined && bursts?.clickBursts?.has(clickBurstOf(shortLink, firstClickAt))) {
    const [day, minute] = [firstClickAt.slice(0, 10), firstClickAt.slice(11, 16)];
    return `The first click came on ${day} at ${minute} UTC, when first clicks through its link came from more networks in a minute than the program expects`;
  }
  if (
    partnerId !== undefined &&
    signupAt !== undefined &&
    network !== undefined &&
    bursts?.signupBursts?.has(signupBurstOf(partnerId, signupAt, network))
  ) {
    return `The signup came on ${signupAt.slice(0, 10)}, when most signups, this one among them, came from one network`;
  }
  return undefined;
}

/** Signups of a day, below which nothing is concluded from them. */
const FEWEST_SIGNUPS = 10;

/** Whether too many signups of a partner and a day came from one network. */
export const isFromOneNetwork = (ofNetwork: number, ofPartner: number): boolean =>
  ofPartner >= FEWEST_SIGNUPS && 2 * ofNetwork > ofPartner;

/** The newest minutes of which a link's numbers are kept. */
const KEPT_MINUTES = 2;

/**
 * Adds first clicks to the numbers that are kept of a link.
 * @returns what is kept now, and all numbers that have changed
 */
export function addedFirstClicks(
  kept: FirstClicks = {},
  added: readonly { readonly minute: string; readonly by: number }[],
): { readonly kept: FirstClicks; readonly changed: FirstClicks } {
  const changed: Record<string, number> = {};
  for (const { minute, by } of added) changed[minute] = (changed[minute] ?? kept[minute] ?? 0) + by;
  const positive = Object.entries({ ...kept, ...changed }).filter(([, count]) => count > 0);
  const newest = positive.toSorted(([a], [b]) => (a < b ? 1 : -1)).slice(0, KEPT_MINUTES);
  return { kept: Object.fromEntries(newest), changed };
}

/** Minutes whose number was not above a limit before, and is now. */
export const minutesPassing = (limit: number, before: FirstClicks = {}, changed: FirstClicks): string[] =>
  Object.entries(changed).flatMap(([minute, count]) => (count > limit && (before[minute] ?? 0) <= limit ? minute : []));
