import type { CommissionTerms } from '#lib/service/programs/terms/terms.ts';

/** The first terms of a program: ten percent of each sale, payable at once, without a fee. */
export const termsOf = (changes: Partial<CommissionTerms> = {}): CommissionTerms => ({
  commissionType: 'percent',
  commissionRate: 10,
  currency: 'USD',
  holdPeriodDays: 0,
  platformFeeBps: 0,
  version: { version: 1, from: 'program' },
  ...changes,
});
