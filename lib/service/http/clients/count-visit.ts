import { type Day, dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import { affValueOf } from '#lib/service/programs/links/referral-link.ts';
import {
  HOUR_MS,
  type Mark,
  markField,
  markOf,
  minuteField,
  seenVisitor,
  spareFields,
  type Visits,
} from '#lib/service/traffic/clicks/visits.ts';
import { hashOfDay, networkOf } from '#lib/service/ground/effects/daily-hash.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { addVisit, findVisits, tidyVisits, visitsKey } from '#lib/service/traffic/clicks/visits-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { clientNetwork } from '#lib/service/http/clients/client-network.ts';
import type { CountByAddress } from '#lib/service/http/clients/rate-limit.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import type { ClickBody } from '#lib/service/http/traffic/click-request.ts';

/**
 * Counts a click under the client's address, for the rate limit. The same write finds out whether the visitor has used
 * the same link within the last hour. A second write is needed at the end of an hour, at midnight, and when a network
 * has many visitors.
 */
export const countVisit: CountByAddress = async (call, group) => {
  const { deps } = call;
  const { now, random, table } = deps;
  const day = dayOf(now);
  const network = clientNetwork(call.address);
  const visitor = visitorOf(call);
  const keyOf = async (of: Day) => visitsKey(group, await hashOfDay(deps, network, of), of);
  const fieldOf = async (of: Day) => markField(await hashOfDay(deps, `${network}\n${visitor}`, of));

  const hash = await hashOfDay(deps, network, day);
  // Only a call from a page, which has an `Origin` header, comes from the visitor's network. A server sends the clicks
  // of visitors in many networks.
  if (call.event.headers.origin !== undefined) call.network = networkOf(hash);
  const key = visitsKey(group, hash, day);
  if (visitor === undefined) return seen(call, countIn(await addVisit(table, key, { now, day }), now));

  const field = await fieldOf(day);
  const own = markOf(now, day, random.fraction());
  const [visits, before] = await Promise.all([
    addVisit(table, key, { now, day, mark: { [field]: own } }),
    isFirstHour(now) ? markBefore(deps, dayLater(day, -1), keyOf, fieldOf) : undefined,
  ]);
  const { isRepeat, mark } = seenVisitor({ visits, day, field, own, before }, now);
  call.isRepeat = isRepeat;
  const spare = Object.fromEntries(
    spareFields(visits, [field, minuteField(now, day)]).map((name) => [name, undefined]),
  );
  if (mark !== undefined || Object.keys(spare).length > 0) {
    const changes = mark === undefined ? spare : { ...spare, [field]: mark };
    await tidyVisits(table, key, changes, { [field]: visits[field] }).catch((error: unknown) => {
      // A concurrent click of the same visitor was stored first, so this one is the repeated click.
      if (error instanceof ConditionFailed) call.isRepeat = true;
      else deps.log.warn('visits_untidied');
    });
  }
  return seen(call, countIn(visits, now));
};

/** Notes whether another click came from the same network in this minute. @returns the count, unchanged */
function seen(call: RequestContext, count: number): number {
  call.isOfSeenNetwork = count > 1;
  return count;
}

const countIn = (visits: Visits, now: Date): number => Number(visits[minuteField(now, dayOf(now))]);

const isFirstHour = (now: Date): boolean => now.getTime() - Date.parse(dayOf(now)) < HOUR_MS;

/**
 * Link and user agent, by which a returning visitor is recognized; undefined if the request is not a valid click of a
 * person.
 */
function visitorOf({ body }: RequestContext): string | undefined {
  try {
    const sent = body() as ClickBody;
    return 'click' in sent && sent.visitor
      ? `${affValueOf(sent.click.affiliateUrl)}\n${sent.visitor.userAgent}`
      : undefined;
  } catch {
    // If the body is invalid, the request is refused later.
    return undefined;
  }
}

/** What is stored about the visitor for the previous day. If the read fails, the click is still counted. */
async function markBefore(
  { table }: Deps,
  day: Day,
  keyOf: (day: Day) => Promise<ReturnType<typeof visitsKey>>,
  fieldOf: (day: Day) => Promise<string>,
): Promise<(Mark & { readonly visits: Visits }) | undefined> {
  try {
    const visits = await findVisits(table, await keyOf(day));
    return visits && { day, field: await fieldOf(day), visits };
  } catch {
    return undefined;
  }
}
