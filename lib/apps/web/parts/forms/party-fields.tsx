import { Field, TextArea } from '#lib/apps/web/parts/forms/field.tsx';

interface Party {
  readonly name: string | null;
  readonly address: string | null;
  readonly country: string | null;
  readonly tax_id: string | null;
}

/** Inputs for the name and address of a payer or payee, as statements print them. */
export const PartyFields = ({ of }: { readonly of: Party | null }) => (
  <>
    <Field name="name" label="Name" maxLength={120} hint="Of the person or company." defaultValue={of?.name ?? ''} />
    <TextArea name="address" label="Address" rows={3} defaultValue={of?.address ?? ''} />
    <Field
      name="country"
      label="Country"
      size={8}
      maxLength={2}
      hint="Its two letters, such as US."
      defaultValue={of?.country ?? ''}
    />
    <Field
      name="tax_id"
      label="Tax id"
      maxLength={40}
      autocomplete="off"
      hint="Such as the VAT number."
      defaultValue={of?.tax_id ?? ''}
    />
  </>
);
