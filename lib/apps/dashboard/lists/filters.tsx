import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { PartnerFilter } from '#lib/apps/dashboard/parts/filters/partner-filter.tsx';
import type { Filters } from '#lib/apps/web/hooks/use-filters.ts';
import { period } from '#lib/apps/web/lists/filters.tsx';
import type { ListFilter } from '#lib/apps/web/lists/list.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';

export const ofPartner: ListFilter = {
  values: { partner_id: '' },
  field: ({ values, change }) => (
    <PartnerFilter value={values.partner_id ?? ''} onChange={(id) => change({ partner_id: id })} />
  ),
};

/** Filters for the period in which figures are counted, and for the order of the rows. */
export const figureFilters: readonly ListFilter[] = [
  { ...period, keepsRows: true },
  { values: { sort: 'created' }, keepsRows: true, field: (filters) => <SortFilter filters={filters} /> },
];

/** Selects the order, on narrow screens on which there are no column headings to click. */
function SortFilter({ filters: { values, change } }: { readonly filters: Pick<Filters<string>, 'values' | 'change'> }) {
  const { currency } = useProgram().program;
  return (
    <ChoiceFilter
      label="Sort by"
      value={values.sort ?? ''}
      onChange={(sort) => change({ sort })}
      options={[
        ['created', 'Oldest first'],
        ['clicks', 'Clicks'],
        ['leads', 'Leads'],
        ['sales', 'Sales'],
        // Sorting by revenue compares only amounts in the program's currency.
        ['revenue', `Revenue in ${currency}`],
        ['commission', `Commission in ${currency}`],
      ]}
    />
  );
}
