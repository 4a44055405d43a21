import { useState } from 'preact/hooks';
import { commissionTypes } from '#lib/apps/dashboard/format.ts';
import { Field, Select } from '#lib/apps/dashboard/parts/field.tsx';
import type { CommissionType } from '#lib/wire/fields.ts';
import type { Program } from '#lib/wire/program.ts';

/** What partners earn. @param program whose commission is changed; absent for a new one */
export function CommissionFields({ program }: { readonly program?: Program }) {
  const [type, setType] = useState<CommissionType>(program?.commission_type ?? 'recurring_percent');
  const isPercent = type.endsWith('percent');
  return (
    <>
      <Select
        name="commission_type"
        label="Commission"
        options={commissionTypes}
        value={type}
        onChange={(value) => setType(value as CommissionType)}
      />
      <Field
        name="commission_rate"
        label={isPercent ? 'Rate' : 'Amount'}
        unit={isPercent ? '%' : 'USD'}
        inputMode="decimal"
        size={8}
        required
        defaultValue={String(program?.commission_rate ?? 20)}
      />
      {type.startsWith('recurring_') && (
        <Field
          name="duration_months"
          label="Renewals count for"
          unit="months"
          inputMode="numeric"
          size={8}
          hint="After the customer's first payment. Empty: as long as they stay."
          defaultValue={program?.duration_months ? String(program.duration_months) : ''}
        />
      )}
    </>
  );
}
