import * as z from 'zod/mini';
import type { CountName } from '#lib/service/ground/counters/counter.ts';
import type { SnakeCase } from '#lib/wire/words/snake-case.ts';
import { about, balanceCents, byCurrency, cents, count, day, named } from '#lib/wire/words/fields.ts';

const DayAmounts = named(
  'Amounts',
  z.strictObject({
    revenue_cents: cents,
    refunded_cents: balanceCents,
    commission_cents: balanceCents,
    rejected_cents: about('What rejections leave unpaid of the commissions of that day.', balanceCents),
    platform_fee_cents: balanceCents,
  }),
  'Revenue is gross. Commission and fee are net of the deductions of that day. The commission includes what was rejected.',
);
export type DayAmounts = z.output<typeof DayAmounts>;

/**
 * The counters as the document describes them. If a name in the list of counters has no row here, this file does not
 * compile.
 */
export const counts = {
  clicks: about('The number of clicks, without bots and previews.', count),
  bot_clicks: about('The number of clicks by bots and previews.', count),
  repeat_clicks: about('How many of `clicks` repeat one of the same visitor on the same link within an hour.', count),
  leads: count,
  sales: count,
} as const satisfies Record<SnakeCase<CountName>, z.ZodMiniType<number>>;
export type Counts = z.output<z.ZodMiniObject<typeof counts>>;

/** The counters that partners see. */
export const countsForPartners = { clicks: count, leads: count, sales: count } as const satisfies Partial<
  Record<keyof Counts, z.ZodMiniType<number>>
>;

export const countsHiddenFromPartners = { bot_clicks: true, repeat_clicks: true } as const satisfies Record<
  Exclude<keyof Counts, keyof typeof countsForPartners>,
  true
>;

const totals = { ...counts, amounts: byCurrency(DayAmounts) };
const Totals = named('PerformanceTotals', z.strictObject(totals));
export type Totals = z.output<typeof Totals>;

/** A day. Before the year 0, ISO 8601 writes the year with a sign and six digits. */
export const dayBefore = z.string().check(z.regex(/^(-\d{6}|\d{4})-\d{2}-\d{2}$/));

export const Performance = named(
  'Performance',
  z.strictObject({
    from: day,
    to: day,
    days: z.array(z.strictObject({ date: day, ...totals })),
    totals: Totals,
    previous: z.strictObject({ from: dayBefore, to: dayBefore, totals: Totals }),
  }),
  'Only real events, no test events. A sale counts on the day of its payment, a refund on the day it is recorded.',
);
export type Performance = z.output<typeof Performance>;
