import type { Option } from '#lib/apps/web/parts/forms/option.ts';

interface ChoiceChipsProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly Option[];
}

/** The most used filter of a list. Its options are always visible. */
export const ChoiceChips = ({ label, value, onChange, options }: ChoiceChipsProps) => (
  <div class="chips" role="group" aria-label={label}>
    {options.map(([option, text]) => (
      <button key={option} type="button" class="chip" aria-pressed={option === value} onClick={() => onChange(option)}>
        {text}
      </button>
    ))}
  </div>
);
