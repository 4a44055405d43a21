import { useState } from 'preact/hooks';
import { currencyOptions } from '#lib/apps/dashboard/program/currencies.ts';
import { WithNote } from '#lib/apps/dashboard/parts/program/with-note.tsx';
import type { TermsNotes } from '#lib/apps/dashboard/program/terms-notes.ts';
import { settingChoices } from '#lib/apps/dashboard/program/setting-choices.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { Field, Select } from '#lib/apps/web/parts/forms/field.tsx';
import type { CommissionType } from '#lib/wire/words/fields.ts';
import type { Program } from '#lib/wire/programs/program.ts';

interface CommissionFieldsProps {
  /** The program that is being edited; undefined for a new one. */
  readonly of?: Pick<Program, 'commission_type' | 'commission_rate' | 'duration_months'> &
    Partial<Pick<Program, 'currency' | 'commission_base'>>;
  /** The program's currency, if it cannot be chosen here, as in groups and partners. Undefined if it can be chosen. */
  readonly inCurrency?: string;
  readonly notes?: TermsNotes;
}

export function CommissionFields({ of, inCurrency, notes }: CommissionFieldsProps) {
  const [type, setType] = useState<CommissionType>(of?.commission_type ?? 'recurring_percent');
  const { currencies } = useInstallation();
  const [currency, setCurrency] = useState(inCurrency ?? of?.currency ?? currencies[0]!);
  const isPercent = type.endsWith('percent');
  return (
    <>
      <Select
        name="commission_type"
        label="Commission"
        options={settingChoices.commission_type}
        value={type}
        onChange={(value) => setType(value as CommissionType)}
        hint={notes?.('commission_type') && <WithNote note={notes('commission_type')} />}
      />
      <Field
        name="commission_rate"
        label={isPercent ? 'Rate' : 'Amount'}
        unit={isPercent ? '%' : currency}
        inputMode="decimal"
        size={8}
        required
        hint={notes?.('commission_rate') && <WithNote note={notes('commission_rate')} />}
        defaultValue={String(of?.commission_rate ?? 20)}
      />
      {inCurrency === undefined && isPercent && (
        <Select
          name="commission_base"
          label="Percentage of"
          options={settingChoices.commission_base}
          value={of?.commission_base ?? 'gross'}
          hint="Tax is left out where Stripe or your server tells it. Of a sale whose tax is not known, the whole amount counts."
        />
      )}
      {inCurrency === undefined && (
        <Select
          name="currency"
          label="Currency"
          options={currencyOptions(currencies, of?.currency)}
          value={currency}
          onChange={setCurrency}
          hint="Of fixed amounts, and what partners and links are ranked by. A percentage is paid in the currency of the sale."
        />
      )}
      {type.startsWith('recurring_') && (
        <Field
          name="duration_months"
          label="Renewals count for"
          unit="months"
          inputMode="numeric"
          size={8}
          hint={
            <WithNote
              text="After the customer's first payment. Empty: as long as they stay."
              note={notes?.('duration_months')}
            />
          }
          defaultValue={of?.duration_months ? String(of.duration_months) : ''}
        />
      )}
    </>
  );
}
