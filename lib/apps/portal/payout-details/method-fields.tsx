import { useState } from 'preact/hooks';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { Field, Select, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import type { PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';

export const methods: readonly (readonly [PayoutMethod, string])[] = [
  ['bank', 'Bank account'],
  ['paypal', 'PayPal'],
  ['wise', 'Wise'],
  ['other', 'Another way'],
];

type PayoutMethod = PayoutDetails['method'];

/** The field that selects which other fields are shown. It is not sent. */
const ACCOUNT_KIND = 'account_kind';

/** The entered details as sent. */
export const detailsIn = (entered: Entered): Entered =>
  Object.fromEntries(Object.entries(entered).filter(([name]) => name !== ACCOUNT_KIND));

const accounts = [
  ['iban', 'IBAN'],
  ['number', 'Account and routing number'],
] as const;

export function MethodFields({ current }: { readonly current: PayoutMethod | undefined }) {
  const [method, setMethod] = useState<PayoutMethod>(current ?? 'bank');
  return (
    <>
      <Select
        name="method"
        label="How you are paid"
        options={methods}
        value={method}
        onChange={(to) => setMethod(to as PayoutMethod)}
      />
      {method === 'bank' && <BankFields />}
      {(method === 'paypal' || method === 'wise') && (
        <Field name="email" label="E-mail address of your account there" type="email" required />
      )}
      {method === 'other' && (
        <TextArea
          name="instructions"
          label="How to pay you"
          rows={4}
          required
          hint="In your words, for the person who sends the money. At most 1,000 characters."
        />
      )}
    </>
  );
}

function BankFields() {
  const [kind, setKind] = useState('iban');
  return (
    <>
      <Field name="account_holder" label="Account holder" required />
      <Select name={ACCOUNT_KIND} label="Account" options={accounts} value={kind} onChange={setKind} />
      {kind === 'iban' ? (
        <Field name="iban" label="IBAN" autocomplete="off" required />
      ) : (
        <>
          <Field name="account_number" label="Account number" autocomplete="off" required />
          <Field name="routing_number" label="Routing number" autocomplete="off" required />
          <Field name="country" label="Country" size={8} maxLength={2} required hint="Its two letters, such as US." />
        </>
      )}
    </>
  );
}
