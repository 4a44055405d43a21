import { isClickAfter } from '#lib/service/traffic/customers/attribution-window.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { traceEmail } from '#lib/service/ground/addresses/email.ts';
import type { Payer } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

// Somebody pays without a partner's customer being found. Whoever signs up with that person's address later, or lets a
// browser claim the key, must not get the payments that follow.

/** The names under which a payer is remembered: the processor's customer, and hashes of the customer key and the address. */
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
 * Whether a customer's click came after the payer's first payment that was nobody's.
 * @param firstUnsoldAt ISO 8601; undefined = there was no such payment
 */
export const isTooLateForPayer = (customer: AttributedCustomer, firstUnsoldAt: string | undefined): boolean =>
  firstUnsoldAt !== undefined && isClickAfter(customer, new Date(firstUnsoldAt));

/** The customer of a key, unless only a browser claimed it, for somebody who clicked after the payer's first payment. */
export const keyedForPayer = <Keyed extends AttributedCustomer>(
  keyed: Keyed | undefined,
  firstUnsoldAt: string | undefined,
): Keyed | undefined =>
  keyed?.keyBoundBy !== undefined && isTooLateForPayer(keyed, firstUnsoldAt) ? undefined : keyed;

/** Shown to the owner with a payment that stays nobody's, though its address or key finds a customer. */
export const TOO_LATE_FOR_PAYER =
  'The payer had paid before that click, and nobody had brought that payment. Since then neither the e-mail address alone counts, nor a key that only a browser sent.';
