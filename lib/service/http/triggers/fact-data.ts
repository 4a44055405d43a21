import { codeReply } from '#lib/service/http/programs/code-reply.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { eventReply } from '#lib/service/http/reports/event-reply.ts';
import { linkReply, partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { payoutLineReply } from '#lib/service/http/earnings/payout-line-reply.ts';
import { listedPayoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import type { FactData } from '#lib/service/outbox/facts/publish-facts.ts';

/** The payload of a fact: the same row that the API's lists show. */
export const factData: FactData = ({ of, row }, now) => {
  if (of === 'event') return eventReply(row);
  if (of === 'commission') return commissionReply(row);
  if (of === 'payout') return listedPayoutReply(row);
  if (of === 'line') return payoutLineReply(row);
  if (of === 'partner') return partnerReply(row, now);
  if (of === 'link') return linkReply(row);
  if (of === 'code') return codeReply(row);
  return { rotate_by: row.rotateBy };
};
