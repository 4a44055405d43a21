import { useEffect, useRef, useState } from 'preact/hooks';
import { rowsIn, rowsText, type TierRow } from '#lib/apps/dashboard/program/tier-rows.ts';
import { useObjection } from '#lib/apps/web/parts/forms/form.tsx';
import { tiersEntry } from '#lib/apps/web/terms-texts.ts';
import type { Terms } from '#lib/wire/programs/terms.ts';

interface TierRowsProps {
  readonly tiers?: Terms['tiers'];
  /** The rates that the program's terms would give the group or partner; shown if the entered rates differ. */
  readonly note?: string;
}

/**
 * Higher rates as rows of two fields. The form gets them as one hidden field, so that they can be compared, kept and
 * restored like the value of any other field.
 */
export function TierRows({ tiers, note }: TierRowsProps) {
  const hidden = useRef<HTMLInputElement>(null);
  const [rows, setRows] = useState(() => rowsIn(tiersEntry(tiers)));
  const text = rowsText(rows);
  const objection = useObjection('tiers');
  const isBegun = useRef(false);

  // Notifies the form of added or removed rows, for which no field sends an event.
  useEffect(() => {
    if (isBegun.current) hidden.current!.dispatchEvent(new Event('input', { bubbles: true }));
    isBegun.current = true;
  }, [rows.length]);

  const change = (at: number, row: Partial<TierRow>): void =>
    setRows(rows.map((one, index) => (index === at ? { ...one, ...row } : one)));
  /** Handles that the form has restored an earlier value. */
  const putBack = ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement }): void => {
    if (value !== text) setRows(rowsIn(value));
  };
  return (
    <fieldset class="field tiers">
      <legend>Higher rates</legend>
      <input type="hidden" name="tiers" value={text} ref={hidden} onInput={putBack} />
      {rows.map(({ from, rate }, at) => (
        <div class="input-row" key={at}>
          <span class="unit">From</span>
          <input
            aria-label={`Sales a month, step ${at + 1}`}
            inputMode="numeric"
            size={6}
            value={from}
            onInput={({ currentTarget }) => change(at, { from: currentTarget.value })}
          />
          <span class="unit">sales a month</span>
          <input
            aria-label={`Rate in percent, step ${at + 1}`}
            inputMode="decimal"
            size={6}
            value={rate}
            onInput={({ currentTarget }) => change(at, { rate: currentTarget.value })}
          />
          <span class="unit">%</span>
          <button
            type="button"
            class="button small quiet"
            aria-label={`Remove step ${at + 1}`}
            onClick={() => setRows(rows.filter((_, index) => index !== at))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" class="button small" onClick={() => setRows([...rows, { from: '', rate: '' }])}>
        Add a step
      </button>
      <p class="hint">
        For percentages: a rate for partners with so many sales in the last month. Without steps, the rate is the same
        for all. {note}
      </p>
      {objection && (
        <p class="objection" role="alert">
          Higher rates{objection.replace(/^tiers/, '')}
        </p>
      )}
    </fieldset>
  );
}
