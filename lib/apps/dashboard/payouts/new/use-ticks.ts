import { useState } from 'preact/hooks';
import type { PreviewedItem } from '#lib/apps/dashboard/payouts/new/previewed-items.tsx';
import type { Selection } from '#lib/apps/web/parts/table/selection.tsx';

const keyOf = ({ partner_id: id }: PreviewedItem): number => id;

/** The checkboxes of the partners. All are set at first. A partner has one checkbox for all currencies. */
export function useTicks(items: readonly PreviewedItem[]): {
  readonly unticked: ReadonlySet<number>;
  readonly ticks: Selection<PreviewedItem>;
} {
  const [unticked, setUnticked] = useState<ReadonlySet<number>>(new Set());
  const shown = new Set(items.map(keyOf));
  return {
    unticked,
    ticks: {
      keys: shown.difference(unticked),
      keyOf,
      isSelectable: () => true,
      labelOf: ({ partner_name: name, partner_id: id, currency }) => `${name ?? `partner ${id}`}, ${currency}`,
      set: (rows, isTicked) => {
        const changed = new Set(rows.map(keyOf));
        setUnticked((before) => (isTicked ? before.difference(changed) : before.union(changed)));
      },
      clear: () => setUnticked(new Set()),
    },
  };
}
