import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import type { FirstClicks } from '#lib/service/ground/counters/counter.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';

/**
 * Bursts: suspicious peaks of clicks or signups in a program. Every burst is stored as a number, so that the item,
 * which every sale reads, stays small. The number identifies a link and a minute (`clickBurstOf`), or a partner, a day
 * and a network (`signupBurstOf`). A later burst has a larger number.
 */
export interface Bursts {
  /** Minutes in which a link had first clicks from more networks than the program's `velocityClicks`. */
  readonly clickBursts?: ReadonlySet<number>;
  /** Networks from which most of a partner's confirmed signups on one day came. */
  readonly signupBursts?: ReadonlySet<number>;
}

const MINUTE_MS = 60_000;
const HASHES = 2 ** 24;
const HASH_DIGITS = 6;
const SIGNUP_HASHES = 2 ** 36;
const SIGNUP_HASH_DIGITS = 9;

/**
 * A short hash of the link. Two links with the same hash are confused only if both have a first click in the same
 * minute.
 */
const hashOf = (shortLink: string): number => Number.parseInt(sha256(shortLink).slice(0, HASH_DIGITS), 16);

/** The number that represents a link and a minute among the click bursts. @param at ISO 8601 */
export const clickBurstOf = (shortLink: string, at: string): number =>
  Math.floor(Date.parse(at) / MINUTE_MS) * HASHES + hashOf(shortLink);

/**
 * The number that represents a partner, a day and a network among the signup bursts.
 * @param at ISO 8601
 * @param network of the customer, see `CustomerTraits`
 */
export const signupBurstOf = (partnerId: number, at: string, network: string): number =>
  Math.floor(Date.parse(at) / DAY_MS) * SIGNUP_HASHES +
  Number.parseInt(sha256(`${partnerId} ${network}`).slice(0, SIGNUP_HASH_DIGITS), 16);

/** The data of a customer's first click and signup that the rule needs. */
interface Arrival {
  /** The link of the first click; absent if a code brought the customer. */
  readonly shortLink?: string;
  readonly firstClickAt: string;
  readonly partnerId?: number;
  readonly signupAt?: string;
  readonly traits?: CustomerTraits;
}

/**
 * The evidence for the rule `velocity`, as a sentence without personal data; undefined when there is none. Anyone can
 * send clicks and signups through any link, so the rule holds only commissions of the customers who came with the
 * burst, and its text accuses no partner.
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
    return `The signup came on ${signupAt.slice(0, 10)}, when most signups, including this one, came from one network`;
  }
  return undefined;
}

/** From how many signups on a day the rule may match. Fewer prove nothing. */
const FEWEST_SIGNUPS = 10;

/** Whether too many of a partner's signups of a day came from one network. */
export const isFromOneNetwork = (ofNetwork: number, ofPartner: number): boolean =>
  ofPartner >= FEWEST_SIGNUPS && 2 * ofNetwork > ofPartner;

/** For how many of a link's newest minutes the numbers of first clicks are stored. */
const KEPT_MINUTES = 2;

/**
 * Adds first clicks to the stored numbers of a link.
 * @returns the numbers to store, and all numbers that have changed
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

/** Minutes in which the number of first clicks has risen above a limit. */
export const minutesPassing = (limit: number, before: FirstClicks = {}, changed: FirstClicks): string[] =>
  Object.entries(changed).flatMap(([minute, count]) => (count > limit && (before[minute] ?? 0) <= limit ? minute : []));
