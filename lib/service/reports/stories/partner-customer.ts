import { createHmac } from 'node:crypto';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { LeadCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/**
 * How a partner names a customer. Nobody can tell the click from it, or whether two partners mean the same person; no e-mail
 * address has this form, so it is none of the hashes that the salt makes as well.
 */
export const customerNameFor = (
  { id: partnerId }: Pick<Partner, 'id'>,
  { clickId }: Pick<Customer, 'clickId'>,
  { emailSalt }: Pick<Program, 'emailSalt'>,
): string =>
  `cus_${createHmac('sha256', emailSalt).update(`customer ${partnerId} ${clickId}`).digest('base64url').slice(0, 22)}`;

/** Whether another partner may have earned something from the customer: its lead, before a code moved it. */
export const hasFormerPartner = ({ formerPartnerId, leadState }: Customer): boolean =>
  formerPartnerId !== undefined && leadState === 'settled';

/** What a customer brought, without what its lead earned for another partner. */
export function amountsWithout(
  amounts: EventCounts['amounts'],
  { currency, amountCents }: Pick<LeadCommission, 'currency' | 'amountCents'>,
): EventCounts['amounts'] {
  const { [currency]: own, ...others } = amounts;
  if (!own) return amounts;
  const left = { ...own, commissionCents: own.commissionCents - amountCents };
  return Object.values(left).some((cents) => cents !== 0) ? { ...others, [currency]: left } : others;
}
