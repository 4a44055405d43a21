import { useId } from 'preact/hooks';

interface ChoiceFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Their texts by their values; an empty value filters nothing. */
  readonly options: Readonly<Record<string, string>>;
}

export function ChoiceFilter({ label, value, onChange, options }: ChoiceFilterProps) {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
