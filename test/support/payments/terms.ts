import type { CommissionTerms } from '#lib/service/programs/terms/terms.ts';

/**
 * The first terms of a program: ten percent of each sale, no hold period and no fee.
 * @param changes terms that differ
 */
export const termsOf = (changes: Partial<CommissionTerms> = {}): CommissionTerms => ({
  commissionType: 'percent',
  commissionRate: 10,
  currency: 'USD',
  holdPeriodDays: 0,
  platformFeeBps: 0,
  version: { version: 1, from: 'program' },
  ...changes,
});
