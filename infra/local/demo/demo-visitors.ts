import { hash } from 'node:crypto';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { type Chance, chanceOf } from '#infra/local/demo/chance.ts';
import { type ActivePartner, fullDemo, removedPartner } from '#infra/local/demo/demo-partners.ts';

/** Number of days in the history, including the last one. */
const HISTORY_DAYS = 60;

/**
 * Converts between times and days of a history, which are numbered from 0. Also makes the history's random choices.
 * Times are milliseconds since 1970.
 */
export interface Calendar {
  readonly end: number;
  readonly chance: Chance;
  readonly at: (day: number, hour?: number) => number;
  readonly dayOf: (time: number) => number;
}

/** The first moment of the history that ends at the given time. */
export const firstMomentUntil = (end: Date): Date => new Date(Date.parse(dayOf(end)) - (HISTORY_DAYS - 1) * DAY_MS);

/**
 * Creates the calendar of a history. The random choices are the same at every start.
 * @param end when the history ends
 */
export function calendarUntil(end: Date): Calendar {
  const first = firstMomentUntil(end).getTime();
  return {
    end: end.getTime(),
    chance: chanceOf('Acme Pro'),
    at: (day, hour = 0) => first + day * DAY_MS + hour * HOUR_MS,
    dayOf: (time) => Math.floor((time - first) / DAY_MS),
  };
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** A person who came through a partner's link. */
export interface Visitor {
  readonly at: number;
  readonly clickId: string;
  readonly partner: ActivePartner;
  readonly link: string;
}

/** A visitor who returns through another partner's link. The first partner keeps the customer. */
export interface ReturningVisitor extends Visitor {
  readonly existingClickId: string;
}

export const whenRemoved = ({ at }: Calendar): number => at(40, 10);

/**
 * Whether clicks and sales of a partner are still recorded at the given time. One partner is removed during the
 * history.
 */
export const isActive = (calendar: Calendar, partner: ActivePartner, time: number): boolean =>
  partner !== removedPartner || time < whenRemoved(calendar);

/** Traffic on each weekday relative to the average, from Sunday. */
const weekdays = [0.6, 1.05, 1.15, 1.2, 1.1, 1, 0.7] as const;
/** Minimum number of visitors per day, so that the last day has some even if it ends shortly after midnight. */
const LEAST_A_DAY = 5;
const RETURNING_SHARE = 0.04;

/** The visitors in order of time. Later days have more visitors. */
export function visitorsIn(calendar: Calendar): (Visitor | ReturningVisitor)[] {
  const { chance, at, end } = calendar;
  const visitors: (Visitor | ReturningVisitor)[] = [];
  for (let day = 0; day < HISTORY_DAYS; day++) {
    const length = Math.min(DAY_MS, end - at(day));
    const usual = (18 + 0.45 * day) * weekdays[new Date(at(day)).getUTCDay()]!;
    const count = Math.round((usual * chance.between(85, 115) * length) / DAY_MS / 100);
    // Most visits are in the middle of the day.
    const times = Array.from(
      { length: Math.max(LEAST_A_DAY, count) },
      () => at(day) + Math.floor((chance.between(0, length) + chance.between(0, length)) / 2),
    );
    const before = visitors.length;
    for (const time of times.toSorted((a, b) => a - b)) {
      const visitor = newVisitor(chance, time);
      const known = before > 0 && chance.hits(RETURNING_SHARE) ? visitors[chance.between(0, before - 1)]! : undefined;
      if (!isActive(calendar, visitor.partner, time)) continue;
      visitors.push(known ? { ...visitor, existingClickId: known.clickId, clickId: known.clickId } : visitor);
    }
  }
  return visitors;
}

export const isReturning = (visitor: Visitor): visitor is ReturningVisitor => 'existingClickId' in visitor;

function newVisitor(chance: Chance, at: number): Visitor {
  const drawn = chance.between(1, 100);
  let upTo = 0;
  const partner = fullDemo.find(({ share }) => drawn <= (upTo += share))!;
  const [first, ...others] = partner.links;
  const link = chance.hits(0.6) ? first! : chance.oneOf(others);
  return { at, partner, link, clickId: `clk_${hash('sha256', `${at} ${chance.between(0, 1e9)}`).slice(0, 26)}` };
}
