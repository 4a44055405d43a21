import { type AttributedCustomer, customerMayBecome, isMadeByCode } from '#lib/service/traffic/customers/customer.ts';
import {
  customerListing,
  customerPartnerListing,
  keptClick,
  type ListedEvent,
} from '#lib/service/traffic/customers/customers-items.ts';
import {
  bindKeyWrites,
  formerKeyWrites,
  keyedCustomerWrites,
} from '#lib/service/traffic/customers/customer-keys-items.ts';
import { keys, type PartnerIndexKey } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * The changes that a recorded sale makes to its customer: a first sale sets `conversion`, a coupon code may move the
 * customer to another partner, and a sale found by click id may link its key to the customer. The item of the key is
 * updated too. Empty if nothing changes.
 * @param before the stored customer; undefined if the payment creates it
 * @param after the customer after the change
 * @param sale if set, a customer who never was a lead gets the position of this sale in the partner's list
 * @param claimant another customer, who loses the key
 */
export function customerWrites(
  before: AttributedCustomer | undefined,
  after: AttributedCustomer,
  sale?: ListedEvent,
  claimant?: AttributedCustomer,
): Write[] {
  const isNewHere = sale && after.status === 'conversion' && after.leadState === undefined;
  const listing = isNewHere ? customerListing(after, sale) : customerPartnerListing(after);
  if (!before) return newCustomerWrites(after, listing, claimant);
  const converts = before.status !== after.status;
  const binds = before.customerKey !== after.customerKey;
  const confirms = before.keyBoundBy !== after.keyBoundBy;
  const moves = before.code !== after.code;
  const paysFor = before.hasPaidFor !== after.hasPaidFor;
  const paysEarlier = !converts && before.firstPurchaseAt !== after.firstPurchaseAt;
  const [paidBefore, paidAfter] = [payingOf(before), payingOf(after)];
  const pays = payingParts.some((part) => before[part] !== after[part]);
  const isRepeated = converts || binds || confirms || moves || paysFor || paysEarlier;
  if (!isRepeated && !pays) return isMadeByCode(before) ? [sameCustomerCheck(before)] : [];
  const { status, firstPurchaseAt, firstTerms, hasPaidFor, customerKey, keyBoundBy, firstRecordedAt } = after;
  const { code, partnerId, formerPartnerId } = after;
  const changed = {
    status,
    firstPurchaseAt,
    firstTerms,
    hasPaidFor,
    keyBoundBy,
    ...(moves && { code, partnerId, formerPartnerId }),
    ...(paysEarlier && { firstRecordedAt }),
  };
  return [
    {
      name: 'customer',
      key: keys.customer(after.clickId),
      change: {
        set: { ...changed, customerKey, ...keptClick, ...(pays && paidAfter), ...((converts || moves) && listing) },
      },
      // Fails if another first sale, a lead, an unlinking or an erasure was written first. This request then reloads
      // the customer and decides again.
      condition: {
        oneOf: { status: converts ? customerMayBecome.conversion : [before.status] },
        equals: {
          signupAt: before.signupAt,
          customerKey: before.customerKey,
          partnerId: before.partnerId,
          code: before.code,
          // Closes the race between two first payments for a subscription: the second one becomes a renewal.
          hasPaidFor: before.hasPaidFor,
          // Closes the race between two payments that are both earlier than the first known one: the second request
          // decides again which of them is the earliest.
          ...(paysEarlier && { firstPurchaseAt: before.firstPurchaseAt }),
          erasedAt: before.erasedAt,
          unlinkedAt: before.unlinkedAt,
          // The item of the key, written below, contains a copy of the traits.
          ...(binds && { traits: before.traits }),
          // Closes the race between two people who pay with the same click for the first time: the second one counts as
          // another person.
          ...(pays && paidBefore),
        },
      },
    },
    ...(binds && customerKey ? [...bindKeyWrites(after, customerKey, claimant), ...formerKeyWrites(before)] : []),
    ...(isRepeated && !binds ? keyedCustomerWrites(after, changed) : []),
  ];
}

/**
 * A check for a customer created by a coupon code. Fails if the customer was unlinked first, which happens when it is
 * merged into another customer. The merge moves all sales, so it would miss a sale that is recorded at the same moment.
 */
const sameCustomerCheck = ({ clickId, unlinkedAt }: AttributedCustomer): Write => ({
  name: 'customer',
  key: keys.customer(clickId),
  check: true,
  condition: { exists: true, equals: { unlinkedAt } },
});

/** Fields by which it is decided whether the next payment with the customer's click comes from the same person. */
const payingParts = ['firstPayer', 'firstGuest', 'unboundKey'] as const;

const payingOf = ({ firstPayer, firstGuest, unboundKey }: AttributedCustomer) => ({
  firstPayer,
  firstGuest,
  unboundKey,
});

/**
 * Writes for a customer whom a payment creates, with its key. If two payments of one person race, the second request is
 * retried and finds the customer of the first by the key.
 * @param claimant another customer, who loses the key
 */
const newCustomerWrites = (
  customer: AttributedCustomer,
  listing: Partial<PartnerIndexKey>,
  claimant?: AttributedCustomer,
): Write[] => [
  {
    name: 'customer',
    key: keys.customer(customer.clickId),
    put: { ...customer, ...listing },
    condition: { isNew: true },
  },
  ...(customer.customerKey === undefined ? [] : bindKeyWrites(customer, customer.customerKey, claimant)),
  ...(customer.sharedClick ? [sharerWrite(customer.sharedClick)] : []),
];

/**
 * The write that counts the people who pay with a customer's click. If two new people race, the second request is
 * retried with the next number.
 */
const sharerWrite = ({ clickId, place }: NonNullable<AttributedCustomer['sharedClick']>): Write => ({
  name: 'sharer',
  key: keys.customer(clickId),
  change: { set: { people: place, ...keptClick } },
  condition: {
    exists: true,
    equals: { people: place === 2 ? undefined : place - 1, erasedAt: undefined, unlinkedAt: undefined },
  },
});
