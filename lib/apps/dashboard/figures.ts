import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import { ALL_TIME } from '#lib/apps/web/period.ts';

/** Filters of lists whose rows have figures, as they begin. */
export const figureFilters = { status: '', period: ALL_TIME, from: '', to: '', sort: 'created' } as const;

/** What such a list is sorted by, in the API's words. @param currency of the program: amounts in it are compared */
export const sortings = (currency: string): readonly Option[] => [
  ['created', 'Oldest first'],
  ['clicks', 'Clicks'],
  ['leads', 'Leads'],
  ['sales', 'Sales'],
  ['revenue', `Revenue in ${currency}`],
  ['commission', `Commission in ${currency}`],
];

/** One kind of the amounts, by currency; a currency without it counts as 0. */
export const amountsOf = <Kind extends string>(
  { amounts }: { readonly amounts: Readonly<Record<string, Readonly<Partial<Record<Kind, number | null>>>>> },
  kind: Kind,
): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of[kind] ?? 0]));
