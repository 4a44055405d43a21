import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import { type ChosenPeriod, CUSTOM, periods } from '#lib/apps/web/period.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { DateFilter } from '#lib/apps/web/parts/table/date-filter.tsx';

interface PeriodFilterProps {
  readonly chosen: ChosenPeriod;
  readonly onChange: (changes: Partial<ChosenPeriod>) => void;
  /** An option before all others, such as all time. */
  readonly first?: Option;
}

/** Selects a period: a predefined one, or the days between two UTC days. */
export const PeriodFilter = ({ chosen, onChange, first }: PeriodFilterProps) => (
  <>
    <ChoiceFilter
      label="Period"
      value={chosen.period}
      onChange={(period) => onChange({ period, from: '', to: '' })}
      options={first ? [first, ...periods] : periods}
    />
    {chosen.period === CUSTOM && (
      <>
        <DateFilter label="From" value={chosen.from} onChange={(from) => onChange({ from })} />
        <DateFilter label="To" value={chosen.to} onChange={(to) => onChange({ to })} />
      </>
    )}
  </>
);
