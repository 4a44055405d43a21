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

/** Name of a selection that determines which other fields are shown. It is not sent. */
const ACCOUNT_KIND = 'account_kind';

/** Converts what was entered to the fields of a request. An empty BIC is left out, because it is optional. */
export const detailsIn = (entered: Entered): Entered =>
  Object.fromEntries(
    Object.entries(entered).filter(
      ([name, value]) => name !== ACCOUNT_KIND && !(name === 'bic' && value.trim() === ''),
    ),
  );

const bankAccounts = [
  ['iban', 'IBAN'],
  ['number', 'Account and routing number'],
] as const;

const wiseAccounts = [
  ['email', 'By e-mail address'],
  ['iban', 'By IBAN'],
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
      {method === 'paypal' && <EmailField />}
      {method === 'wise' && <WiseFields />}
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

const EmailField = () => <Field name="email" label="E-mail address of your account there" type="email" required />;

function WiseFields() {
  const [kind, setKind] = useState('email');
  return (
    <>
      <Select name={ACCOUNT_KIND} label="How Wise pays you" options={wiseAccounts} value={kind} onChange={setKind} />
      {kind === 'email' ? (
        <EmailField />
      ) : (
        <>
          <HolderField />
          <IbanFields />
        </>
      )}
    </>
  );
}

function BankFields() {
  const [kind, setKind] = useState('iban');
  return (
    <>
      <HolderField />
      <Select name={ACCOUNT_KIND} label="Account" options={bankAccounts} value={kind} onChange={setKind} />
      {kind === 'iban' ? (
        <IbanFields />
      ) : (
        <>
          <Field name="account_number" label="Account number" autocomplete="off" required />
          <Field
            name="routing_number"
            label="Routing number"
            autocomplete="off"
            required
            hint="Or the sort code or branch code."
          />
          <Field name="country" label="Country" size={8} maxLength={2} required hint="Its two letters, such as US." />
          <BicField />
        </>
      )}
    </>
  );
}

const HolderField = () => <Field name="account_holder" label="Account holder" required />;

const IbanFields = () => (
  <>
    <Field name="iban" label="IBAN" autocomplete="off" required />
    <BicField />
  </>
);

const BicField = () => (
  <Field
    name="bic"
    label="BIC"
    size={14}
    autocomplete="off"
    hint="Optional: 8 or 11 characters, also called SWIFT code."
  />
);
