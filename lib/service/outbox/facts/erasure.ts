import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Delivery } from '#lib/service/outbox/sending/delivery.ts';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';

// What is removed from each record when a person is erased. Ids, times, states, partner and amounts stay, so counts and
// payments do not change. An attribute that is undefined here is removed.

export const erasedCustomer = (at: Date) =>
  ({
    erasedAt: at.toISOString(),
    visit: {},
    customerKey: undefined,
    keyBoundBy: undefined,
    firstPayer: undefined,
    firstGuest: undefined,
    unboundKey: undefined,
    email: undefined,
    // Free text of an owner may identify the person.
    unlinkReason: undefined,
    // A referrer, a campaign or a domain may be the person's own. Flags of commissions name none of them.
    traits: undefined,
  }) satisfies Partial<Customer>;

export const erasedLead = {
  email: undefined,
  emailListedAt: undefined,
  emailClaimedBy: undefined,
  claimedKey: undefined,
  eventName: undefined,
  pageUrl: undefined,
  sessionId: undefined,
  otherClickIds: undefined,
} satisfies Partial<Lead>;

export const erasedLaterClick = { visit: {} };

/** Replaces the identifier by which a sale found its customer. */
const ERASED = '(erased)';

/** The click id stays: it joins the records and no longer identifies a person. */
export const erasedSale = (attribution: SaleAttribution) =>
  ({
    attribution: {
      ...attribution,
      customerKey: undefined,
      identifier: ['click_id', 'code'].includes(attribution.resolvedBy) ? attribution.identifier : ERASED,
    },
    claimed: undefined,
    // Free text of the caller.
    eventName: undefined,
    lineItems: undefined,
  }) satisfies Partial<Sale>;

/** The rows of facts are those of the API, whose personal parts are then null. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'customer_key',
  'page_url',
  'referrer_url',
  'event_name',
  'email_masked',
  'refund_reason',
]);

export const erasedFact = (data: Fact['data']): Fact['data'] =>
  Object.fromEntries(Object.entries(data).map(([field, value]) => [field, PERSONAL_FIELDS.has(field) ? null : value]));

/** An endpoint may answer with what it was sent. */
export const erasedDelivery = (delivery: Delivery, at: Date): Delivery => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, response: undefined })),
  erasedAt: at.toISOString(),
});

export const erasedRefund = { refundReason: undefined };
