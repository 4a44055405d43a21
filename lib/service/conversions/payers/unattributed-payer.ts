import { isClickAfter } from '#lib/service/traffic/customers/attribution-window.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

// If no customer of a partner is found for a payment, its payer is remembered. A person who signs up later with the
// payer's e-mail address, or whose browser claims the payer's key, must not get credit for the following payments.

/** The names under which a payer is remembered: the processor's customer id, and hashes of key and e-mail address. */
export function payerNamesOf(
  { processorCustomerId, customerKey, email, guest }: Payer,
  { emailSalt }: Pick<Program, 'emailSalt'>,
): string[] {
  const address = email === undefined ? guest : traceEmail(email, emailSalt).hash;
  return [
    ...(processorCustomerId === undefined ? [] : [processorCustomerId]),
    ...(customerKey ? [keyName(customerKey)] : []),
    ...(address === undefined ? [] : [addressName(address)]),
  ];
}

export const keyName = (customerKey: string): string => `key:${sha256(customerKey)}`;

export const addressName = (emailHash: string): string => `address:${emailHash}`;

/**
 * Whether the customer clicked after the payer's first unattributed payment.
 * @param firstUnsoldAt time of that payment, ISO 8601; undefined if there was none
 */
export const isTooLateForPayer = (customer: AttributedCustomer, firstUnsoldAt: string | undefined): boolean =>
  firstUnsoldAt !== undefined && isClickAfter(customer, new Date(firstUnsoldAt));

/**
 * The customer of a key. Undefined if a payment with this payer had stayed unattributed before the customer's first
 * click, and only a browser has claimed the key.
 */
export const keyedForPayer = <Keyed extends AttributedCustomer>(
  keyed: Keyed | undefined,
  firstUnsoldAt: string | undefined,
): Keyed | undefined =>
  keyed?.keyBoundBy !== undefined && isTooLateForPayer(keyed, firstUnsoldAt) ? undefined : keyed;

/** The text for a payment that stays unattributed although its e-mail address or key finds a customer. */
export const TOO_LATE_FOR_PAYER =
  'The payer had paid before that click, and nobody had brought that payment. Since then neither the e-mail address alone counts, nor a key that only a browser sent.';
