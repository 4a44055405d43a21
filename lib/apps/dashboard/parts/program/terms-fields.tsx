import { useEffect, useRef, useState } from 'preact/hooks';
import { CommissionFields } from '#lib/apps/dashboard/parts/program/commission-fields.tsx';
import { WithNote } from '#lib/apps/dashboard/parts/program/with-note.tsx';
import { TierRows } from '#lib/apps/dashboard/parts/program/tier-rows.tsx';
import { notesBeside, type TermsNotes } from '#lib/apps/dashboard/program/terms-notes.ts';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { enteredIn } from '#lib/apps/web/forms/entered-in.ts';
import { centsEntry, previewedTerms } from '#lib/apps/dashboard/program/program-fields.ts';
import { previewText } from '#lib/apps/web/terms-texts.ts';
import type { Terms } from '#lib/wire/programs/terms.ts';

interface TermsFieldsProps {
  readonly terms?: Terms;
  /** The program's currency. */
  readonly currency: string;
  /** For whom the terms apply, and where the terms come from. Both are parts of the preview's sentence. */
  readonly who: string;
  readonly source: string;
}

/**
 * Fields for the terms of a group or partner, and a sentence that describes what is entered. If an entered value
 * differs from the program's value, a note shows the program's.
 */
export function TermsFields({ terms, currency, who, source, program }: TermsFieldsProps & { readonly program: Terms }) {
  const [entered, setEntered] = useState<Entered>();
  const notes = entered && notesBeside(program, entered, currency);
  return (
    <>
      <CommissionFields of={terms} inCurrency={currency} notes={notes} />
      <HoldField days={terms?.hold_period_days} note={notes?.('hold_period_days')} />
      <ExtraTermsFields terms={terms} currency={currency} notes={notes} />
      <TermsPreview currency={currency} who={who} source={source} onEntered={setEntered} />
    </>
  );
}

interface HoldFieldProps {
  readonly days?: number;
  readonly note?: string;
}

export const HoldField = ({ days = 15, note }: HoldFieldProps) => (
  <Field
    name="hold_period_days"
    label="Hold"
    unit="days"
    inputMode="numeric"
    size={8}
    required
    hint={<WithNote text="How long a commission waits for refunds." note={note} />}
    defaultValue={String(days)}
  />
);

interface ExtraTermsFieldsProps extends Pick<TermsFieldsProps, 'terms' | 'currency'> {
  readonly notes?: TermsNotes;
}

/** Fields that only some terms need: the commission for leads, and tiers. */
export const ExtraTermsFields = ({ terms, currency, notes }: ExtraTermsFieldsProps) => (
  <>
    <Field
      name="lead_commission_cents"
      label="Per signup"
      unit={currency}
      inputMode="decimal"
      size={8}
      hint={
        <WithNote
          text="What a confirmed signup earns, once per customer. Empty: nothing."
          note={notes?.('lead_commission_cents')}
        />
      }
      defaultValue={centsEntry(terms?.lead_commission_cents, currency)}
    />
    <TierRows tiers={terms?.tiers} note={notes?.('tiers')} />
  </>
);

interface TermsPreviewProps extends Omit<TermsFieldsProps, 'terms'> {
  readonly onEntered?: (entered: Entered) => void;
}

/** A sentence that describes the terms as they are entered in the form around it. Empty while a value is missing. */
export function TermsPreview({ currency, who, source, onEntered }: TermsPreviewProps) {
  const place = useRef<HTMLParagraphElement>(null);
  const [entered, setEntered] = useState<Entered>({});
  useEffect(() => {
    const form = place.current!.closest('form')!;
    const read = (): void => {
      setEntered(enteredIn(form));
      onEntered?.(enteredIn(form));
    };
    read();
    // Reads the form in the next frame: fields that depend on a selection are not on the page before.
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
