import type { Customer } from '#lib/domain/customer.ts';

/** A customer that an owner unlinked. */
export const unlinkedCustomerReply = ({ clickId, unlinkedAt, unlinkReason }: Customer) => ({
  click_id: clickId,
  unlinked: true,
  unlinked_at: unlinkedAt,
  reason: unlinkReason,
});
