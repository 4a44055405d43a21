import { termsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { commissionTypes, countOf, moneyText } from '#lib/apps/web/format.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { isSame } from '#lib/apps/web/forms/send-seen.ts';
import { tiersText } from '#lib/apps/web/terms-texts.ts';
import type { Terms } from '#lib/wire/programs/terms.ts';

/** Names of the fields that terms have. A program has these fields itself. */
const fields: Readonly<Record<keyof Terms, true>> = {
  commission_type: true,
  commission_rate: true,
  duration_months: true,
  hold_period_days: true,
  lead_commission_cents: true,
  tiers: true,
};

/** Selects the fields of a program that are its terms. */
export const termsAmong = (values: object): Partial<Terms> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => field in fields));

/** Describes the value of a field of terms in words. */
function valueText(field: keyof Terms, terms: Terms, currency: string): string {
  switch (field) {
    case 'commission_type':
      return commissionTypes.find(([type]) => type === terms.commission_type)![1];
    case 'commission_rate':
      return terms.commission_type.endsWith('percent')
        ? `${terms.commission_rate}%`
        : `${terms.commission_rate} ${currency}`;
    case 'duration_months':
      return terms.duration_months ? `${terms.duration_months} months` : 'as long as they stay';
    case 'hold_period_days':
      return countOf(terms.hold_period_days, 'day');
    case 'lead_commission_cents':
      return terms.lead_commission_cents > 0 ? moneyText(terms.lead_commission_cents, currency) : 'nothing';
    case 'tiers':
      return terms.tiers.length > 0 ? tiersText(terms.tiers) : 'the same rate for all';
    default:
      return '';
  }
}

/**
 * Says which value the program has in a field of terms, such as `Program: 12 months`. Undefined if the same value is
 * entered.
 */
export type TermsNotes = (field: keyof Terms) => string | undefined;

/** Compares the terms that are entered with those of the program. @param currency of the program */
export function notesBeside(program: Terms, entered: Entered, currency: string): TermsNotes {
  const wanted = termsIn(entered, currency);
  return (field) => {
    const isEqual = isSame(wanted[field] || null, program[field] || null);
    return isEqual ? undefined : `Program: ${valueText(field, program, currency)}`;
  };
}
