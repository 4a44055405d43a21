import type { Performance, Totals } from '#lib/service/ground/values/performance.ts';
import type * as wire from '#lib/wire/reports/performance.ts';

export const performanceReply = ({ from, to, days, totals, previous }: Performance): wire.Performance => ({
  from,
  to,
  days: days.map(({ date, ...counted }) => ({ date, ...totalsReply(counted) })),
  totals: totalsReply(totals),
  previous: { from: previous.from, to: previous.to, totals: totalsReply(previous.totals) },
});

const totalsReply = ({ clicks, botClicks, repeatClicks, leads, sales, amounts }: Totals): wire.Totals => ({
  clicks,
  bot_clicks: botClicks,
  repeat_clicks: repeatClicks,
  leads,
  sales,
  amounts: Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]): [string, wire.DayAmounts] => [
      currency,
      {
        revenue_cents: amount.revenueCents,
        refunded_cents: amount.refundedCents,
        commission_cents: amount.commissionCents,
        platform_fee_cents: amount.platformFeeCents,
      },
    ]),
  ),
});
