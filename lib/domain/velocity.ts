import { DAY_MS } from '#lib/domain/attribution-window.ts';
import type { AttributedCustomer } from '#lib/domain/customer.ts';

const MINUTE_MS = 60_000;

/** Minutes and days are counted from 1970, in UTC. */
export interface Bursts {
  /** By short link: minutes with more first clicks than the program's `velocityClicks`. */
  readonly clickMinutes: ReadonlyMap<string, ReadonlySet<number>>;
  /** By partner: days on which most of the signups came from one address. */
  readonly signupDays: ReadonlyMap<number, ReadonlySet<number>>;
}

/** A customer, as far as its first click and its signup matter. */
type Arrival = Pick<AttributedCustomer, 'shortLink' | 'firstClickAt' | 'partnerId' | 'signupAt'>;

/** @param at ISO 8601 */
export const minuteNumberOf = (at: string): number => Math.floor(Date.parse(at) / MINUTE_MS);

/** @param at ISO 8601 */
export const dayNumberOf = (at: string): number => Math.floor(Date.parse(at) / DAY_MS);

/** What speaks for the rule `velocity`, in words without personal data; undefined where nothing does. @param agreements of the program */
export function velocityEvidence(
  { bursts }: { readonly bursts?: Bursts },
  { shortLink = '', firstClickAt, partnerId, signupAt }: Arrival,
): string | undefined {
  if (bursts?.clickMinutes.get(shortLink)?.has(minuteNumberOf(firstClickAt))) {
    const [day, minute] = [firstClickAt.slice(0, 10), firstClickAt.slice(11, 16)];
    return `The first click came on ${day} at ${minute} UTC, when its link had more first clicks in a minute than the program expects`;
  }
  const days = partnerId === undefined ? undefined : bursts?.signupDays.get(partnerId);
  if (signupAt !== undefined && days?.has(dayNumberOf(signupAt))) {
    return `The signup came on ${signupAt.slice(0, 10)}, when most of the partner's signups came from one network address`;
  }
  return undefined;
}

/** Signups of a day, below which nothing is concluded from them. */
const FEWEST_SIGNUPS = 10;

/** Whether too many signups of a partner and a day came from one address. */
export const isFromOneAddress = (ofAddress: number, ofPartner: number): boolean =>
  ofPartner >= FEWEST_SIGNUPS && 2 * ofAddress > ofPartner;
