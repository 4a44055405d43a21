import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Delivery } from '#lib/service/outbox/sending/delivery.ts';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';

// The attributes that are removed from each record when a person is erased. An attribute that is undefined here is
// removed. Ids, times, states, partner and amounts stay, so that counts and payments do not change.

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
    // Text written by an owner may identify the person.
    unlinkReason: undefined,
    // A referrer, campaign or domain may identify the person. Flags of commissions contain none, so they stay.
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

/** Stored instead of the identifier that found the sale's customer. */
const ERASED = '(erased)';

/** The click id stays: it connects the records, and no longer identifies a person. */
export const erasedSale = (attribution: SaleAttribution) =>
  ({
    attribution: {
      ...attribution,
      customerKey: undefined,
      identifier: ['click_id', 'code'].includes(attribution.resolvedBy) ? attribution.identifier : ERASED,
    },
    claimed: undefined,
    // Text sent by the caller may identify the person.
    eventName: undefined,
    lineItems: undefined,
  }) satisfies Partial<Sale>;

/** Fields of a fact's data that may be personal. They are set to null. */
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

/** An endpoint's response may repeat the personal data that it received. */
export const erasedDelivery = (delivery: Delivery, at: Date): Delivery => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, response: undefined })),
  erasedAt: at.toISOString(),
});

export const erasedRefund = { refundReason: undefined };
