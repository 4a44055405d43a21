import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';

interface CurrencyFilterProps {
  /** The currencies in which there are amounts. */
  readonly currencies: readonly string[];
  readonly value: string;
  readonly onChange: (currency: string) => void;
}

/** Selects the currency of the shown amounts. It is hidden if there is only one. */
export const CurrencyFilter = ({ currencies, value, onChange }: CurrencyFilterProps) =>
  currencies.length > 1 ? (
    <ChoiceFilter label="Currency" value={value} onChange={onChange} options={currencies.map((one) => [one, one])} />
  ) : null;
