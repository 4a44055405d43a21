import { countsReply } from '#lib/service/http/reports/counts-reply.ts';
import type { Performance, Totals } from '#lib/service/ground/values/performance.ts';
import type * as wire from '#lib/wire/reports/performance.ts';

export const performanceReply = ({ from, to, days, totals, previous }: Performance): wire.Performance => ({
  from,
  to,
  days: days.map(({ date, ...counted }) => ({ date, ...totalsReply(counted) })),
  totals: totalsReply(totals),
  previous: { from: previous.from, to: previous.to, totals: totalsReply(previous.totals) },
});

const totalsReply = (totals: Totals): wire.Totals => ({
  ...countsReply(totals),
  amounts: Object.fromEntries(
    Object.entries(totals.amounts).map(([currency, amount]): [string, wire.DayAmounts] => [
      currency,
      {
        revenue_cents: amount.revenueCents,
        refunded_cents: amount.refundedCents,
        commission_cents: amount.commissionCents,
        rejected_cents: amount.rejectedCents,
        platform_fee_cents: amount.platformFeeCents,
      },
    ]),
  ),
});
