import { createHmac } from 'node:crypto';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { LeadCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/**
 * A pseudonym for a customer, different for each partner. It shows neither which click it was nor whether two partners
 * have the same customer. It is an HMAC of the click id, not of an e-mail address, so it never equals a stored hash of
 * an address.
 */
export const customerNameFor = (
  { id: partnerId }: Pick<Partner, 'id'>,
  { clickId }: Pick<Customer, 'clickId'>,
  { emailSalt }: Pick<Program, 'emailSalt'>,
): string =>
  `cus_${createHmac('sha256', emailSalt).update(`customer ${partnerId} ${clickId}`).digest('base64url').slice(0, 22)}`;

/**
 * Whether another partner may have earned a lead commission from the customer, before a coupon code moved the customer
 * to this partner.
 */
export const hasFormerPartner = ({ formerPartnerId, leadState }: Customer): boolean =>
  formerPartnerId !== undefined && leadState === 'settled';

/** A customer's amounts, without the lead commission of another partner. */
export function amountsWithout(
  amounts: EventCounts['amounts'],
  { currency, amountCents }: Pick<LeadCommission, 'currency' | 'amountCents'>,
): EventCounts['amounts'] {
  const { [currency]: own, ...others } = amounts;
  if (!own) return amounts;
  const left = { ...own, commissionCents: own.commissionCents - amountCents };
  return Object.values(left).some((cents) => cents !== 0) ? { ...others, [currency]: left } : others;
}
