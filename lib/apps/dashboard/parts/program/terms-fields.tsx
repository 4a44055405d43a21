import { useEffect, useRef, useState } from 'preact/hooks';
import { CommissionFields } from '#lib/apps/dashboard/parts/program/commission-fields.tsx';
import { Field, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { enteredIn } from '#lib/apps/web/forms/entered-in.ts';
import { centsEntry, previewedTerms } from '#lib/apps/dashboard/program/program-fields.ts';
import { previewText, tiersEntry } from '#lib/apps/web/terms-texts.ts';
import type { Terms } from '#lib/wire/programs/terms.ts';

interface TermsFieldsProps {
  readonly terms?: Terms;
  /** The program's currency. */
  readonly currency: string;
  /** The recipient and the origin of the commission, for the sentence that describes the input. */
  readonly who: string;
  readonly source: string;
}

/** The terms of a group or partner, with a sentence that describes them. */
export const TermsFields = ({ terms, currency, who, source }: TermsFieldsProps) => (
  <>
    <CommissionFields of={terms} inCurrency={currency} />
    <HoldField days={terms?.hold_period_days} />
    <ExtraTermsFields terms={terms} currency={currency} />
    <TermsPreview currency={currency} who={who} source={source} />
  </>
);

export const HoldField = ({ days = 15 }: { readonly days?: number }) => (
  <Field
    name="hold_period_days"
    label="Hold"
    unit="days"
    inputMode="numeric"
    size={8}
    required
    hint="How long a commission waits for refunds."
    defaultValue={String(days)}
  />
);

/** Fields that apply only to some terms. */
export const ExtraTermsFields = ({ terms, currency }: Pick<TermsFieldsProps, 'terms' | 'currency'>) => (
  <>
    <Field
      name="lead_commission_cents"
      label="Per signup"
      unit={currency}
      inputMode="decimal"
      size={8}
      hint="What a confirmed signup earns, once per customer. Empty: nothing."
      defaultValue={centsEntry(terms?.lead_commission_cents, currency)}
    />
    <TextArea
      name="tiers"
      label="Higher rates"
      rows={3}
      hint="For percentages. One step per line: from how many sales in the last month, and the rate, such as 10 25. Empty: the same rate for all."
      defaultValue={tiersEntry(terms?.tiers)}
    />
  </>
);

/** Describes the terms entered in the surrounding form in a sentence; empty while they are incomplete. */
export function TermsPreview({ currency, who, source }: Omit<TermsFieldsProps, 'terms'>) {
  const place = useRef<HTMLParagraphElement>(null);
  const [entered, setEntered] = useState<Entered>({});
  useEffect(() => {
    const form = place.current!.closest('form')!;
    const read = (): void => setEntered(enteredIn(form));
    read();
    // Reads the fields at the next frame, because fields that depend on a choice appear only then.
    const readLater = (): void => void requestAnimationFrame(read);
    form.addEventListener('input', readLater);
    return () => form.removeEventListener('input', readLater);
  }, []);
  const inCurrency = entered.currency ?? currency;
  const terms = previewedTerms(entered, inCurrency);
  return (
    <p class="hint" role="status" ref={place}>
      {terms && previewText(who, terms, inCurrency, source)}
    </p>
  );
}
