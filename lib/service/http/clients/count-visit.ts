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
 * Counts a click under the client's address. The same write detects whether its visitor used the same link within the
 * last hour. A second write follows at the end of an hour, at midnight, and when a network has many visitors.
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
  // Only a page's call, with an `Origin` header, comes from the visitor's network. A server reports many networks.
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
      // Race: a concurrent click of the visitor has just written its mark. That click is the first one.
      if (error instanceof ConditionFailed) call.isRepeat = true;
      else deps.log.warn('visits_untidied');
    });
  }
  return seen(call, countIn(visits, now));
};

/** Stores whether the click's network has already clicked in this minute. @returns the count, unchanged */
function seen(call: RequestContext, count: number): number {
  call.isOfSeenNetwork = count > 1;
  return count;
}

const countIn = (visits: Visits, now: Date): number => Number(visits[minuteField(now, dayOf(now))]);

const isFirstHour = (now: Date): boolean => now.getTime() - Date.parse(dayOf(now)) < HOUR_MS;

/** Link and user agent that identify a returning visitor; undefined for anything but a valid click of a person. */
function visitorOf({ body }: RequestContext): string | undefined {
  try {
    const sent = body() as ClickBody;
    return 'click' in sent && sent.visitor
      ? `${affValueOf(sent.click.affiliateUrl)}\n${sent.visitor.userAgent}`
      : undefined;
  } catch {
    // An invalid body is refused later.
    return undefined;
  }
}

/** The visitor's mark of the previous day. A failed read must not lose the count. */
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
