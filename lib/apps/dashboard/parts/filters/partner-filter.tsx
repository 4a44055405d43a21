import { useId } from 'preact/hooks';
import { PartnerCombobox } from '#lib/apps/dashboard/parts/filters/partner-combobox.tsx';

interface PartnerFilterProps {
  /** Id of the partner; empty if the filter is not set. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const everybody = { id: '', name: 'All partners', email: '' };

/** A filter that limits a list to one partner. */
export function PartnerFilter({ value, onChange }: PartnerFilterProps) {
  const id = useId();
  return (
    <div class="filter combobox">
      <label for={id}>Partner</label>
      <PartnerCombobox id={id} value={value} onChange={onChange} none={everybody} />
    </div>
  );
}
