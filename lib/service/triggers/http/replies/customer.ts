import type { UnlinkedCustomer } from '#lib/domain/customer.ts';
import type * as wire from '#lib/wire/customer.ts';

/** A customer that an owner unlinked. */
export const unlinkedCustomerReply = ({
  clickId,
  unlinkedAt,
  unlinkReason,
}: UnlinkedCustomer): wire.UnlinkedCustomer => ({
  click_id: clickId,
  unlinked: true,
  unlinked_at: unlinkedAt,
  reason: unlinkReason,
});
