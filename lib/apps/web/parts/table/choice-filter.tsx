import { useId } from 'preact/hooks';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';

interface ChoiceFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The options. The one with an empty value means that the filter is not set. */
  readonly options: readonly Option[];
}

export function ChoiceFilter({ label, value, onChange, options }: ChoiceFilterProps) {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
