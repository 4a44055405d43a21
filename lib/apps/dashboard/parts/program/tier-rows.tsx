import { useEffect, useRef, useState } from 'preact/hooks';
import { rowsIn, rowsText, type TierRow } from '#lib/apps/dashboard/program/tier-rows.ts';
import { useObjection } from '#lib/apps/web/parts/forms/form.tsx';
import { tiersEntry } from '#lib/apps/web/terms-texts.ts';
import type { Terms } from '#lib/wire/programs/terms.ts';

interface TierRowsProps {
  readonly tiers?: Terms['tiers'];
  /** The rates of the program's terms. They are shown if the entered rates differ from them. */
  readonly note?: string;
}

/**
 * Inputs for higher rates: each row has the number of sales and the rate. A hidden input contains all rows as one text,
 * so that the form can compare and restore them like any other value.
 */
export function TierRows({ tiers, note }: TierRowsProps) {
  const hidden = useRef<HTMLInputElement>(null);
  const [rows, setRows] = useState(() => rowsIn(tiersEntry(tiers)));
  const text = rowsText(rows);
  const objection = useObjection('tiers');
  const isBegun = useRef(false);

  // No input reports that a row was added or removed, so the hidden input sends an event to the form.
  useEffect(() => {
    if (isBegun.current) hidden.current!.dispatchEvent(new Event('input', { bubbles: true }));
    isBegun.current = true;
  }, [rows.length]);

  const change = (at: number, row: Partial<TierRow>): void =>
    setRows(rows.map((one, index) => (index === at ? { ...one, ...row } : one)));
  /** When the form restores the text of the hidden input, shows the rows of that text. */
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
