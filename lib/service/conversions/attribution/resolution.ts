import { counts, type TrustsBrowsers } from '#lib/service/traffic/customers/browser-claim.ts';
import { contradictionOf, overruledClaim } from '#lib/service/earnings/commissions/overruled-claim.ts';
import {
  type AttributedCustomer,
  type Customer,
  givesUpKey,
  partnerOfClick,
} from '#lib/service/traffic/customers/customer.ts';
import { isTooLateForPayer, keyedForPayer } from '#lib/service/conversions/payers/unattributed-payer.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import {
  type CustomersNamed,
  isAnother,
  type Named,
  payerOfGuest,
} from '#lib/service/conversions/payers/another-payer.ts';
import type { SaleAttribution } from '#lib/service/traffic/customers/sale-attribution.ts';

// A payment may contain several identifiers, which find different customers. This file decides to which of them the
// payment belongs. Its functions are pure: they read nothing.

/** A customer and the identifier by which it was found. */
export interface Resolved<Found = AttributedCustomer> {
  readonly customer: Found;
  readonly resolvedBy: SaleAttribution['resolvedBy'];
  /** The identifier as text. E-mail addresses are masked. */
  readonly identifier: string;
  /** Set if the customer is not stored yet: a person's first payment creates it. */
  readonly isNew?: true;
  /**
   * Set if only a browser, and no server, has named the customer. (The program accepts that.) Such a claim must not
   * link a processor customer id to the customer.
   */
  readonly isClaimed?: true;
  /** Set if only the e-mail address found the customer: no click, earlier payment or customer key did. */
  readonly isByAddressAlone?: true;
  /** The hashed e-mail address of a guest who pays. */
  readonly guest?: string;
  /** A partner who did not get the sale, although another identifier or a coupon code points to this partner. */
  readonly overruled?: SaleAttribution['overruled'];
}

/** A payment with a customer's click, made by another person than this customer. */
export interface ByAnother {
  readonly clicked: Customer;
  readonly identifier: string;
}

/** A known customer; another person who pays with a customer's click; or undefined if no customer is found. */
export type Resolution<Found extends AttributedCustomer> = Resolved<Found> | ByAnother | undefined;

export const isByAnother = (resolution: object | undefined): resolution is ByAnother =>
  resolution !== undefined && 'clicked' in resolution;

/** The customers found by the identifiers of a sale that the brand's server sent. */
interface CustomersOfSale {
  readonly clicked?: Customer;
  readonly keyed?: AttributedCustomer;
}

/** Finds the customer by key, otherwise by click. A server's click overrules a key that only a browser claimed. */
export function customerOfSale(
  found: CustomersOfSale,
  { clickId = '', customerKey = '' }: { readonly clickId?: string; readonly customerKey?: string },
  program: TrustsBrowsers,
): Resolution<AttributedCustomer> {
  const { clicked } = found;
  const keyed = found.keyed && counts(found.keyed.keyBoundBy, program) ? found.keyed : undefined;
  const byClick = clicked && customerOfClick(clicked, clickId, { keyed }, { customerKey }, program);
  if (!keyed) return byClick;
  // The key stays with the other customer if the lead is provisional: a sale of such a customer links no key either.
  const movesKey = clicked && clicked.leadState !== 'provisional' && givesUpKey(keyed, clicked, program);
  return movesKey
    ? withOverruled(byClick, [{ customer: keyed, resolvedBy: 'customer_key' }])
    : { customer: keyed, resolvedBy: 'customer_key', identifier: customerKey };
}

/** A customer found by the e-mail address of a payment. */
export interface ByAddress {
  readonly customer: Customer;
  /** The masked e-mail address. */
  readonly masked: string;
  readonly isClaimed?: true;
}

/** The customers found by the identifiers of a processor's payment. */
export interface CustomersOfPayment extends CustomersNamed {
  readonly clicked?: Customer;
  /** Whether only the e-mail address ever linked the processor customer id to the customer `ofPayer`. */
  readonly isPayerByAddress?: boolean;
  readonly keyed?: Customer;
  readonly addressed?: ByAddress;
  /** Time of this payer's first unattributed payment, ISO 8601. Undefined if there was none. */
  readonly firstUnsoldAt?: string;
}

/** The customer of the click in the payment's own metadata. If there is one, all other identifiers are ignored. */
export function customerOfOwnClick(
  found: Omit<CustomersOfPayment, 'addressed'>,
  payer: Payer,
  program: TrustsBrowsers,
): Resolved<Customer> | undefined {
  const byClick = payer.isClickReferred ? undefined : byClickOf(found, payer, program);
  return isByAnother(byClick) ? undefined : withOverruled(byClick, boundCustomers(found, payer, undefined));
}

/**
 * A click, a key or an earlier payment may have found another customer, who has already bought but does not get this
 * payment. If so, records that customer's partner as overruled.
 */
function withOverruled<Found extends Resolution<AttributedCustomer>>(
  found: Found,
  others: readonly Pick<Resolved, 'customer' | 'resolvedBy' | 'isByAddressAlone'>[],
): Found {
  if (!found || isByAnother(found)) return found;
  const buyer = others.find(
    ({ customer: { status }, isByAddressAlone }) => status === 'conversion' && !isByAddressAlone,
  );
  const overruled =
    buyer && overruledClaim(found.customer.partnerId, { partnerId: buyer.customer.partnerId, by: buyer.resolvedBy });
  return overruled ? { ...found, overruled } : found;
}

/**
 * Finds the customer of a payment by click, else by e-mail address, else by an earlier payment, else by customer key,
 * with these exceptions:
 * - An earlier payment or key of a customer who has bought has priority over the e-mail address, which anyone can
 *   enter, and over a processor customer id that only an e-mail address had linked to a customer.
 * - If the e-mail address alone decides, but another identifier finds a customer of another partner, the sale records
 *   that partner.
 * - The e-mail address alone, or a key claimed by a browser, never finds a customer who clicked after an unattributed
 *   payment of this payer.
 * - A click from the URL of the checkout has the lowest priority. It must not take a known payer from that payer's
 *   partner. Besides, only the event of the checkout contains this click, and that of the invoice does not, so the
 *   result would depend on which event arrives first.
 * - If the only identifier left is another customer's click, the person who pays becomes a new customer.
 */
export function customerOfPayment(
  found: CustomersOfPayment,
  payer: Payer,
  program: TrustsBrowsers,
): Resolution<Customer> {
  const { addressed, firstUnsoldAt } = found;
  const byOwnClick = customerOfOwnClick(found, payer, program);
  if (byOwnClick) return byOwnClick;
  const byReferredClick = payer.isClickReferred ? byClickOf(found, payer, program) : undefined;
  const keyed = keyedForPayer(found.keyed, firstUnsoldAt);
  const bound = boundCustomers({ ...found, keyed }, payer, isByAnother(byReferredClick) ? undefined : byReferredClick);
  const byClick = byClickOf(found, payer, program);
  const others = [
    ...bound.filter((one) => !one.isByAddressAlone),
    ...(byClick && !isByAnother(byClick) ? [byClick] : []),
  ];
  const withContradiction = (one: Resolved<Customer>): Resolved<Customer> =>
    one.isByAddressAlone ? { ...one, overruled: contradictionOf(one.customer, others) } : one;
  const buyers = bound.filter(
    ({ customer: { status }, isClaimed: saysBrowser }) => status === 'conversion' && !saysBrowser,
  );
  const buyer = buyers.find((one) => !one.isByAddressAlone) ?? buyers.map(withContradiction)[0];
  if (buyer) return { ...buyer, overruled: buyer.overruled ?? (addressed && overruledAddress(buyer, addressed)) };
  const withoutAddress = bound.map(withContradiction)[0] ?? byClick;
  if (!addressed) return withoutAddress;
  const { customer, masked: identifier, isClaimed } = addressed;
  // `isAlone` is true if only the e-mail address finds this customer. It is false if the payment's click finds the same
  // customer, even if another person has already paid with that click.
  const isAlone =
    found.clicked?.clickId !== customer.clickId && others.every((other) => other.customer.clickId !== customer.clickId);
  if (isAlone && isTooLateForPayer(customer, firstUnsoldAt)) return withoutAddress;
  return withContradiction({
    customer,
    resolvedBy: 'email',
    identifier,
    isClaimed,
    ...(isAlone && ({ isByAddressAlone: true } as const)),
  });
}

/**
 * The customers found by an earlier payment or by customer key. If only an e-mail address had linked the processor
 * customer id to its customer, the earlier payment proves no more than the address does. This changes when a key or
 * click finds the same customer.
 */
function boundCustomers(
  { ofPayer, isPayerByAddress, ofGuest, keyed }: CustomersOfPayment,
  { processorCustomerId = '', customerKey = '', clickId = '' }: Payer,
  byReferredClick: Resolved<Customer> | undefined,
): Resolved<Customer>[] {
  const isClaimed = keyed?.keyBoundBy && true;
  const confirming = [isClaimed ? undefined : keyed, byReferredClick?.customer];
  const isConfirmed = !isPayerByAddress || confirming.some((other) => other && other.clickId === ofPayer?.clickId);
  const byPayer = {
    resolvedBy: 'processor_customer',
    identifier: processorCustomerId,
    ...(!isConfirmed && ({ isByAddressAlone: true } as const)),
  } as const;
  const byKey = { resolvedBy: 'customer_key', identifier: customerKey, isClaimed } as const;
  const byGuest = { resolvedBy: 'click_id', identifier: clickId } as const;
  return [
    ...(ofPayer ? [{ ...byPayer, customer: ofPayer }] : []),
    ...(ofGuest ? [{ ...byGuest, customer: ofGuest }] : []),
    ...(keyed ? [{ ...byKey, customer: keyed }] : []),
  ];
}

const overruledAddress = ({ customer }: Resolved, { customer: other }: ByAddress): Resolved['overruled'] =>
  overruledClaim(customer.partnerId, { partnerId: other.partnerId, by: 'email' });

const byClickOf = (
  { clicked, ofPayer, ofGuest, keyed }: CustomersOfPayment,
  { clickId = '', customerKey, processorCustomerId: payer, guest }: Payer,
  program: TrustsBrowsers,
): Resolution<Customer> =>
  clicked && customerOfClick(clicked, clickId, { ofPayer, ofGuest, keyed }, { customerKey, payer, guest }, program);

/**
 * The customer of a click, or another person who pays with this click. Other persons can share only a click that came
 * through a partner's link, not the id of a customer that a payment created.
 */
function customerOfClick(
  clicked: Customer,
  identifier: string,
  others: CustomersNamed,
  named: Named,
  program: TrustsBrowsers,
): Resolution<Customer> {
  if (clicked.partnerId === undefined || !isAnother(clicked, others, named, program)) {
    return { customer: clicked, resolvedBy: 'click_id', identifier };
  }
  const isShared = clicked.source === undefined && partnerOfClick(clicked) !== undefined;
  return isShared ? { clicked, identifier } : undefined;
}

/** The name under which a guest who pays with another customer's click is found again; undefined for other payers. */
export const guestPayerOf = ({ customer: { sharedClick }, resolvedBy, guest }: Resolved): string | undefined =>
  sharedClick && resolvedBy === 'click_id' && guest !== undefined
    ? payerOfGuest(sharedClick.clickId, guest)
    : undefined;
