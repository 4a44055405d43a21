import { codeReply } from '#lib/service/triggers/http/replies/code.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { eventReply } from '#lib/service/triggers/http/replies/event.ts';
import { linkReply, partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { listedPayoutReply } from '#lib/service/triggers/http/replies/payout.ts';
import type { FactData } from '#lib/service/use-cases/publish-facts.ts';

/** What receivers of a fact get is what the API lists. */
export const factData: FactData = ({ of, row }, now) => {
  if (of === 'event') return eventReply(row);
  if (of === 'commission') return commissionReply(row);
  if (of === 'payout') return listedPayoutReply(row);
  if (of === 'partner') return partnerReply(row, now);
  if (of === 'link') return linkReply(row);
  if (of === 'code') return codeReply(row);
  return { rotate_by: row.rotateBy };
};
