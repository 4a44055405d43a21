import type { CreatedProgram } from '#lib/wire/programs/program.ts';

/** The commission terms of a program. A program that is still to be created may have a type that is not valid. */
type Terms = Pick<CreatedProgram, 'commission_rate' | 'duration_months'> & { readonly commission_type: string };

/** The terms in words, for example `20% of each sale, renewals for 12 months`. */
export function commissionText({
  commission_type: type,
  commission_rate: rate,
  duration_months: months,
}: Terms): string {
  const each = type.endsWith('percent') ? `${rate}% of each sale` : `${rate} (in units of the currency) per sale`;
  if (!type.startsWith('recurring')) return `${each}, renewals excluded`;
  return `${each}, renewals ${months ? `for ${months} months` : 'included'}`;
}
