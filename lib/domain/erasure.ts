import type { Customer } from '#lib/domain/customer.ts';
import type { Lead } from '#lib/domain/lead.ts';
import type { Sale, SaleAttribution } from '#lib/domain/sale.ts';

// What is taken from each record when the person is erased. What remains counts and pays as before: ids, times, states,
// the partner, amounts. An attribute that is undefined here is removed.

export const erasedCustomer = (at: Date) =>
  ({
    erasedAt: at.toISOString(),
    visit: {},
    customerKey: undefined,
    keyBoundBy: undefined,
    email: undefined,
    // An owner may have written who it is.
    unlinkReason: undefined,
  }) satisfies Partial<Customer>;

export const erasedLead = {
  email: undefined,
  emailListedAt: undefined,
  formerEmailHash: undefined,
  claimedKey: undefined,
  eventName: undefined,
  pageUrl: undefined,
  sessionId: undefined,
  otherClickIds: undefined,
} satisfies Partial<Lead>;

export const erasedReclick = { visit: {} };

/** In the place of an identifier by which a sale found its customer. */
const ERASED = '(erased)';

/** The click id stays: it joins the records, and nobody is known by it any more. */
export const erasedSale = (attribution: SaleAttribution) =>
  ({
    attribution: {
      ...attribution,
      customerKey: undefined,
      identifier: attribution.resolvedBy === 'click_id' ? attribution.identifier : ERASED,
    },
    claimed: undefined,
    // Whatever the caller chose to write.
    eventName: undefined,
    lineItems: undefined,
  }) satisfies Partial<Sale>;

export const erasedRefund = { refundReason: undefined };
