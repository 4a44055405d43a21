import { countOf } from '#lib/apps/web/format.ts';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import type { PayoutPreview } from '#lib/wire/earnings/payout.ts';

type Change = PayoutPreview['changed_terms'][number];

const whose = { program: 'Program', group: 'Group', partner: 'Partner' } as const;

/** Lists terms that someone has changed since the last payout, because the payer may not know about the change. */
export function ChangedTerms({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <details class="notice warning">
      <summary>
        <strong>{countOf(changes.length, 'change')} of terms since the last payout</strong>
      </summary>
      <ul class="plain-list">
        {changes.map(({ from, id, name, at, by }) => (
          <li key={`${from} ${id} ${at}`}>
            {whose[from]} {name ?? id}: <Minute at={at} />
            {by !== null && `, by ${by}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
