import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';

interface CurrencyFilterProps {
  /** Those that occurred. */
  readonly currencies: readonly string[];
  readonly value: string;
  readonly onChange: (currency: string) => void;
}

/** Which currency the amounts are of, where there are several. */
export const CurrencyFilter = ({ currencies, value, onChange }: CurrencyFilterProps) =>
  currencies.length > 1 ? (
    <ChoiceFilter label="Currency" value={value} onChange={onChange} options={currencies.map((one) => [one, one])} />
  ) : null;
