import { counts, type TrustsBrowsers } from '#lib/service/traffic/customers/browser-claim.ts';
import { contradictionOf, overruledClaim } from '#lib/service/earnings/commissions/overruled-claim.ts';
import {
  type AttributedCustomer,
  type Customer,
  givesUpKey,
  keyThatCounts,
  partnerOfClick,
} from '#lib/service/traffic/customers/customer.ts';
import { isTooLateForPayer, keyedForPayer } from '#lib/service/conversions/payers/payer-of-nobody.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import type { Resolved } from '#lib/service/conversions/sales/sale-decision.ts';

// Whose a payment is, among the customers to whom its identifiers lead. Nothing is read here.

/** The identifiers of a payment, as a server sent them. */
interface Named {
  readonly customerKey?: string;
  readonly payer?: string;
  readonly guest?: string;
}

/** A click's customer with whose click another person pays. */
export interface ByAnother {
  readonly clicked: Customer;
  readonly identifier: string;
}

/** A customer, somebody who pays with another one's click, or nobody. */
export type Resolution<Found extends AttributedCustomer> = Resolved<Found> | ByAnother | undefined;

export const isByAnother = (resolution: object | undefined): resolution is ByAnother =>
  resolution !== undefined && 'clicked' in resolution;

/** Customers to whom the identifiers of a sale of the brand's own server lead. */
interface CustomersOfSale {
  readonly clicked?: Customer;
  readonly keyed?: AttributedCustomer;
}

/** By its key first, else by its click. A click that the server sends overrules a key that only a browser claimed. */
export function customerOfSale(
  found: CustomersOfSale,
  { clickId = '', customerKey = '' }: { readonly clickId?: string; readonly customerKey?: string },
  program: TrustsBrowsers,
): Resolution<AttributedCustomer> {
  const { clicked } = found;
  const keyed = found.keyed && counts(found.keyed.keyBoundBy, program) ? found.keyed : undefined;
  const byClick = clicked && customerOfClick(clicked, clickId, { keyed }, { customerKey }, program);
  if (!keyed) return byClick;
  // A sale binds no key while a provisional lead waits, so it can move none either.
  const movesKey = clicked && clicked.leadState !== 'provisional' && givesUpKey(keyed, clicked, program);
  return movesKey
    ? withOverruled(byClick, [{ customer: keyed, resolvedBy: 'customer_key' }])
    : { customer: keyed, resolvedBy: 'customer_key', identifier: customerKey };
}

/** A customer whom the address of a payment names. */
export interface ByAddress {
  readonly customer: Customer;
  /** Mask of the address. */
  readonly masked: string;
  readonly isClaimed?: true;
}

/** Customers to whom the identifiers of a processor's payment lead. */
export interface CustomersOfPayment {
  readonly clicked?: Customer;
  /** Who paid before as the same customer of the processor. */
  readonly ofPayer?: Customer;
  /** Only an address ever named that customer as the payer. */
  readonly isPayerByAddress?: boolean;
  /** Who paid before as the same guest, with the same click. */
  readonly ofGuest?: Customer;
  readonly keyed?: Customer;
  readonly addressed?: ByAddress;
  /** When a payment of this payer was nobody's first, ISO 8601. */
  readonly firstUnsoldAt?: string;
}

/** The customer of the click, where the payment's own metadata names it; then nothing else is asked. */
export function customerOfOwnClick(
  found: Omit<CustomersOfPayment, 'addressed'>,
  payer: Payer,
  program: TrustsBrowsers,
): Resolved<Customer> | undefined {
  const byClick = payer.isClickReferred ? undefined : byClickOf(found, payer, program);
  return isByAnother(byClick) ? undefined : withOverruled(byClick, boundCustomers(found, payer, undefined));
}

/** With the claim of somebody who has bought, to whom something else leads that the payment names, and not an address alone. */
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
 * The customer of a payment: of the click, then of the address, of an earlier payment, of the key. But an earlier payment
 * or key of a customer who has bought decides before the address, which anybody can write down, and before a payer whom only
 * an address had bound. Where the address decides alone, and something else names another partner's customer, that one is
 * noted. The address alone, or a key that a browser claimed, names nobody who clicked after a payment of this payer was nobody's. A click that stood in the
 * address of the checkout comes last: it must not take a known payer from the first partner, and the invoice of the same
 * payment, which may be reported first, does not have it. Last of all, somebody who pays with another one's click is a
 * person of their own.
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
  // Its own click as well, though somebody else has paid with it.
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
 * Customers whom an earlier payment or the key names. A payer whom only an address made a customer's is no more than
 * that address, until a key or click names the same customer.
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
 * The click's customer, or another person who pays with it. Only the click of a partner can be shared, not what a payment
 * made.
 */
function customerOfClick(
  clicked: Customer,
  identifier: string,
  others: Pick<CustomersOfSale, 'keyed'> & Pick<CustomersOfPayment, 'ofPayer' | 'ofGuest'>,
  named: Named,
  program: TrustsBrowsers,
): Resolution<Customer> {
  if (clicked.partnerId === undefined || !isAnother(clicked, others, named, program)) {
    return { customer: clicked, resolvedBy: 'click_id', identifier };
  }
  const isShared = clicked.source === undefined && partnerOfClick(clicked) !== undefined;
  return isShared ? { clicked, identifier } : undefined;
}

/**
 * Whether a payment that names a customer's click is another person's: nothing that it names is the customer's, and
 * something is not.
 */
function isAnother(
  clicked: Customer,
  { ofPayer, ofGuest, keyed }: Parameters<typeof customerOfClick>[2],
  { customerKey: sentKey, payer, guest }: Named,
  program: TrustsBrowsers,
): boolean {
  const { clickId, firstPayer, customerKey, unboundKey } = clicked;
  const key = sentKey || undefined;
  const isTheirs =
    ofPayer?.clickId === clickId ||
    (payer !== undefined && payer === firstPayer) ||
    (key !== undefined && (key === customerKey || key === unboundKey));
  if (isTheirs || clicked.isTest) return false;
  const isOfSharer = [ofPayer, ofGuest, keyed].some((other) => other?.sharedClick?.clickId === clickId);
  const hasOtherKey = key !== undefined && (keyThatCounts(clicked, program) ?? unboundKey) !== undefined;
  const isOtherPayer = payer !== undefined && firstPayer !== undefined;
  return isOfSharer || hasOtherKey || isOtherPayer || isOtherGuest(clicked, guest);
}

/**
 * Whether a guest is not the customer who has paid with the click: the address is neither the customer's nor that of the
 * first guest. One without an address cannot be told from the customer.
 */
export const isOtherGuest = ({ firstPayer, firstGuest, email }: Customer, guest: string | undefined): boolean =>
  guest !== undefined && (firstGuest ?? firstPayer) !== undefined && guest !== firstGuest && guest !== email?.hash;

/**
 * As whom a guest who pays with another customer's click is known: a name of the click and the address, so that the
 * address finds nobody without the click.
 */
export const payerOfGuest = (clickId: string, guest: string): string => `guest:${clickId}:${guest}`;

/** The same of a customer whom the payment of a guest found, or makes. */
export const guestPayerOf = ({ customer: { sharedClick }, resolvedBy, guest }: Resolved): string | undefined =>
  sharedClick && resolvedBy === 'click_id' && guest !== undefined
    ? payerOfGuest(sharedClick.clickId, guest)
    : undefined;
