import { type ComponentProps, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { Field, Select, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import type { PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';

const methods = Object.entries(payoutMethods);

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

/** What the person entered for any method, by name of the field, so that comparing methods loses nothing. */
const TypedContext = createContext(new Map<string, string>());

function KeptField({ name, ...field }: ComponentProps<typeof Field>) {
  const typed = useContext(TypedContext);
  return <Field {...field} name={name} defaultValue={typed.get(name)} onInput={(value) => typed.set(name, value)} />;
}

export function MethodFields({ current }: { readonly current: PayoutMethod | undefined }) {
  const [method, setMethod] = useState<PayoutMethod>(current ?? 'bank');
  const [bankAccount, setBankAccount] = useState('iban');
  const [wiseAccount, setWiseAccount] = useState('email');
  const [typed] = useState(() => new Map<string, string>());
  return (
    <TypedContext.Provider value={typed}>
      <Select
        name="method"
        label="How you are paid"
        options={methods}
        value={method}
        onChange={(to) => setMethod(to as PayoutMethod)}
      />
      {method === 'bank' && <BankFields kind={bankAccount} onChange={setBankAccount} />}
      {method === 'paypal' && <EmailField />}
      {method === 'wise' && <WiseFields kind={wiseAccount} onChange={setWiseAccount} />}
      {method === 'other' && (
        <TextArea
          name="instructions"
          label="How to pay you"
          rows={4}
          required
          defaultValue={typed.get('instructions')}
          onInput={(value) => typed.set('instructions', value)}
          hint="In your words, for the person who sends the money. At most 1,000 characters."
        />
      )}
    </TypedContext.Provider>
  );
}

interface AccountFieldsProps {
  /** Which kind of account is selected. */
  readonly kind: string;
  readonly onChange: (kind: string) => void;
}

const EmailField = () => <KeptField name="email" label="E-mail address of your account there" type="email" required />;

function WiseFields({ kind, onChange }: AccountFieldsProps) {
  return (
    <>
      <Select name={ACCOUNT_KIND} label="How Wise pays you" options={wiseAccounts} value={kind} onChange={onChange} />
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

function BankFields({ kind, onChange }: AccountFieldsProps) {
  return (
    <>
      <HolderField />
      <Select name={ACCOUNT_KIND} label="Account" options={bankAccounts} value={kind} onChange={onChange} />
      {kind === 'iban' ? (
        <IbanFields />
      ) : (
        <>
          <KeptField name="account_number" label="Account number" autocomplete="off" required />
          <KeptField
            name="routing_number"
            label="Routing number"
            autocomplete="off"
            required
            hint="Or the sort code or branch code."
          />
          <KeptField
            name="country"
            label="Country"
            size={8}
            maxLength={2}
            required
            hint="Its two letters, such as US."
          />
          <BicField />
        </>
      )}
    </>
  );
}

const HolderField = () => <KeptField name="account_holder" label="Account holder" required />;

const IbanFields = () => (
  <>
    <KeptField name="iban" label="IBAN" autocomplete="off" required />
    <BicField />
  </>
);

const BicField = () => (
  <KeptField
    name="bic"
    label="BIC"
    size={14}
    autocomplete="off"
    hint="Optional: 8 or 11 characters, also called SWIFT code."
  />
);
