import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import { ALL_TIME } from '#lib/apps/web/period.ts';

/** Initial filters of lists whose rows have figures. */
export const figureFilters = { status: '', period: ALL_TIME, from: '', to: '', sort: 'created' } as const;

/**
 * Sort orders of a list with figures, with the API's values.
 * @param currency of the program: amounts in it are compared
 */
export const sortings = (currency: string): readonly Option[] => [
  ['created', 'Oldest first'],
  ['clicks', 'Clicks'],
  ['leads', 'Leads'],
  ['sales', 'Sales'],
  ['revenue', `Revenue in ${currency}`],
  ['commission', `Commission in ${currency}`],
];

/** One kind of amount by currency; a currency without it counts as 0. */
export const amountsOf = <Kind extends string>(
  { amounts }: { readonly amounts: Readonly<Record<string, Readonly<Partial<Record<Kind, number | null>>>>> },
  kind: Kind,
): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of[kind] ?? 0]));
