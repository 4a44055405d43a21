import { customerTimelineOf } from '#lib/service/reports/stories/timeline.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { clickReply, customerReply, leadReply } from '#lib/service/http/traffic/customer-reply.ts';
import { recordedSaleReply, refundReply } from '#lib/service/http/conversions/explained-sale-reply.ts';
import type { CustomerStory } from '#lib/service/reports/stories/read-customer.ts';
import type * as wire from '#lib/wire/traffic/customer-history.ts';

/** The complete history of a customer. */
export const customerHistoryReply = (story: CustomerStory): wire.CustomerHistory => ({
  customer: customerReply(story),
  clicks: story.clicks.map(clickReply),
  lead: story.lead ? leadReply(story.lead) : null,
  sales: story.sales.map(recordedSaleReply),
  refunds: story.sales
    .flatMap(({ sale, refunds }) =>
      refunds.map((refund) => ({ ...refundReply(refund), sale_id: sale.id, transaction_id: sale.transactionId })),
    )
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.id - a.id),
  commissions: [...story.sales, { commission: story.leadCommission, partner: story.leadPartner }].flatMap(
    ({ commission, partner }) => (commission ? commissionReply({ commission, partner }) : []),
  ),
  timeline: customerTimelineOf(story),
});
