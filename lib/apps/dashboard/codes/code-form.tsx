import type { ComponentChildren } from 'preact';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Code } from '#lib/wire/programs/codes/code.ts';

interface CodeFormProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
  /** The partner who gets the code; undefined if the children contain an input `partner_id`. */
  readonly partnerId?: number;
  readonly children?: ComponentChildren;
}

export function CodeForm({ onClose, onAdded, partnerId, children }: CodeFormProps) {
  const { api } = useSession();
  const { path } = useProgram();
  return (
    <Form
      submit="Add code"
      onCancel={onClose}
      onSubmit={async ({ partner_id: chosen, code, processor_code_id: processorCodeId, discount }) => {
        await api.send<Code>('POST', `${path}/codes`, {
          partner_id: partnerId ?? Number(chosen),
          code,
          processor_code_id: processorCodeId || undefined,
          discount,
        });
        await onAdded();
        onClose();
      }}
    >
      {children}
      <Field
        name="code"
        label="Code"
        required
        maxLength={64}
        placeholder="SAVE10"
        hint="3 to 64 letters, digits, - and _, in any case. It belongs to this partner permanently."
      />
      <DiscountField />
      <StripeCodeField />
    </Form>
  );
}

/** An input for the discount that buyers get. It is a text that partners can read. */
export const DiscountField = ({ value }: { readonly value?: string | null }) => (
  <Field
    name="discount"
    label="Discount"
    maxLength={100}
    placeholder="10% off the first order"
    defaultValue={value ?? undefined}
    hint="What buyers get with the code, for the partner to tell them."
  />
);

/** An input for the id of a code in Stripe. If it is empty, the code in Stripe that has the same text is used. */
export const StripeCodeField = ({ value }: { readonly value?: string | null }) => (
  <Field
    name="processor_code_id"
    label="Promotion code at Stripe"
    placeholder="promo_…"
    defaultValue={value ?? undefined}
    hint="The id (promo_…) that Stripe shows on the promotion code's page. Empty: the promotion code with the same text."
  />
);
