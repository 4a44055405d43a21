import * as z from 'zod/mini';
import { about, balanceCents, byCurrency, cents, count, day, named } from '#lib/wire/words/fields.ts';

const DayAmounts = named(
  'Amounts',
  z.strictObject({
    revenue_cents: cents,
    refunded_cents: balanceCents,
    commission_cents: balanceCents,
    platform_fee_cents: balanceCents,
  }),
  'Revenue is gross; commission and fee are net of the deductions of that day.',
);
export type DayAmounts = z.output<typeof DayAmounts>;

/** Clicks by their quality. */
export const clickCounts = {
  clicks: about('Without bots and previews.', count),
  bot_clicks: about('Of bots and previews.', count),
  repeat_clicks: about('Of `clicks`, those of the same visitor through the same link within an hour.', count),
};

const totals = { ...clickCounts, leads: count, sales: count, amounts: byCurrency(DayAmounts) };
const Totals = named('PerformanceTotals', z.strictObject(totals));
export type Totals = z.output<typeof Totals>;

/** Before the year 0, ISO 8601 has six digits and a sign. */
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
  'Real events only. A sale counts on the day of its payment, a refund on the day it is recorded.',
);
export type Performance = z.output<typeof Performance>;
