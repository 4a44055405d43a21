import type { TrustsBrowsers } from '#lib/service/traffic/customers/browser-claim.ts';
import { type AttributedCustomer, type Customer, keyThatCounts } from '#lib/service/traffic/customers/customer.ts';

/** The identifiers of a payment, as a server sent them. */
export interface Named {
  readonly customerKey?: string;
  readonly payer?: string;
  readonly guest?: string;
}

/** The customers found by the identifiers of a payment. */
export interface CustomersNamed {
  /** The customer who paid before with the same processor customer id. */
  readonly ofPayer?: Customer;
  /** The customer who paid before as the same guest with the same click. */
  readonly ofGuest?: Customer;
  readonly keyed?: AttributedCustomer;
}

/**
 * Whether another person made a payment that contains a customer's click: none of its other identifiers belongs to the
 * customer, and at least one belongs to someone else.
 */
export function isAnother(
  clicked: Customer,
  { ofPayer, ofGuest, keyed }: CustomersNamed,
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
 * Whether a guest is another person than the one who first paid with the click: the guest's e-mail address is neither
 * the customer's nor the first guest's. A guest without an address counts as the customer.
 */
export const isOtherGuest = ({ firstPayer, firstGuest, email }: Customer, guest: string | undefined): boolean =>
  guest !== undefined && (firstGuest ?? firstPayer) !== undefined && guest !== firstGuest && guest !== email?.hash;

/**
 * The name under which a guest who pays with another customer's click is found again. It contains the click and the
 * hashed address, so it finds the guest only in payments with the same click.
 */
export const payerOfGuest = (clickId: string, guest: string): string => `guest:${clickId}:${guest}`;
