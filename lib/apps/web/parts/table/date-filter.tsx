import { useId } from 'preact/hooks';

interface DateFilterProps {
  readonly label: string;
  /** The day as `YYYY-MM-DD`; empty if the filter is not set. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function DateFilter({ label, value, onChange }: DateFilterProps) {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </div>
  );
}
