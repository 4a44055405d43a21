// Filters of lists, for both applications.

import type { ListFilter } from '#lib/apps/web/lists/list.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import { ChoiceChips } from '#lib/apps/web/parts/table/choice-chips.tsx';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import { ALL_TIME, allTime, type ChosenPeriod } from '#lib/apps/web/period.ts';

export const choice = (name: string, label: string, options: readonly Option[]): ListFilter => ({
  values: { [name]: '' },
  field: ({ values, change }) => (
    <ChoiceFilter label={label} value={values[name]!} onChange={(to) => change({ [name]: to })} options={options} />
  ),
});

/** A filter with a few options that are always visible as buttons; for a list's most used filter. */
export const chips = (name: string, label: string, options: readonly Option[]): ListFilter => ({
  values: { [name]: '' },
  isChips: true,
  field: ({ values, change }) => (
    <ChoiceChips label={label} value={values[name]!} onChange={(to) => change({ [name]: to })} options={options} />
  ),
});

/** A filter that is a checkbox. */
export const check = (name: string, label: string): ListFilter => ({
  values: { [name]: '' },
  field: ({ values, change }) => (
    <label class="filter-check">
      <input
        type="checkbox"
        checked={values[name] !== ''}
        onChange={(event) => change({ [name]: event.currentTarget.checked ? 'true' : '' })}
      />
      {label}
    </label>
  ),
});

/** A filter for a period: all time, a predefined period, or the days between two UTC days. */
export const period: ListFilter = {
  values: { period: ALL_TIME, from: '', to: '' } satisfies ChosenPeriod,
  field: ({ values, change }) => (
    <PeriodFilter chosen={values as unknown as ChosenPeriod} onChange={change} first={allTime} />
  ),
};
