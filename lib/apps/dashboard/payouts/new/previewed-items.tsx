import { SameAccount } from '#lib/apps/dashboard/partners/partner/paid-to.tsx';
import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { countText } from '#lib/apps/web/format.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import type { Selection } from '#lib/apps/web/parts/table/selection.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import type { PayoutPreview } from '#lib/wire/earnings/payout.ts';
import type { Program } from '#lib/wire/programs/program.ts';

export type PreviewedItem = PayoutPreview['items'][number];
type Item = Omit<PreviewedItem, 'payout' | 'flagged' | 'new_since_last_payout' | 'same_account' | 'commission_ids'>;

interface PreviewedItemsProps {
  readonly preview: PayoutPreview;
  /** The checkboxes; undefined for members, who cannot record payouts. */
  readonly ticks?: Selection<PreviewedItem>;
}

/** Lists what a payout would pay and where the money would be sent. Each partner has a checkbox. */
export function PreviewedItems({ preview: { items, counts }, ticks }: PreviewedItemsProps) {
  const { program } = useProgram();
  return (
    <div class="card table-card">
      <Table
        label="Amounts"
        rows={items}
        keyOf={keyOfItem}
        selection={ticks}
        columns={[
          partnerColumn(program),
          { title: 'Paid to', cell: (item: PreviewedItem) => <PaidTo of={item} /> },
          {
            title: 'Commissions',
            isNumber: true,
            cell: (item) => (
              <>
                {countText(item.commission_ids.length)}
                <Flagged of={item} />
              </>
            ),
          },
          amountColumn,
        ]}
      />
      {counts.lines > items.length && (
        <p class="hint table-note">
          These are the first {countText(items.length)} of {countText(counts.lines)} lines. All of them are recorded but
          those whose tick you remove; the filters choose others.
        </p>
      )}
    </div>
  );
}

const PaidTo = ({
  of: { payout, new_since_last_payout: isNew, same_account: sameAccount },
}: {
  readonly of: PreviewedItem;
}) =>
  payout === null ? (
    <Badge tone="waiting">No details</Badge>
  ) : (
    <>
      {payoutMethods[payout.method]}
      <div class="identifier whole muted">{payout.masked}</div>
      {isNew && <Badge tone="waiting">New since the last payout</Badge>}
      <SameAccount ids={sameAccount} />
    </>
  );

/** A link to commissions that a rule has flagged and that no person has reviewed. */
function Flagged({ of: { flagged, partner_id: id, currency } }: { readonly of: PreviewedItem }) {
  const { program } = useProgram();
  if (flagged === 0) return null;
  const query = new URLSearchParams({ flagged: 'true', partner_id: String(id), currency });
  return (
    <div>
      <a href={`${programPath('commissions', program.id)}?${query}`}>{countText(flagged)} flagged</a>
    </div>
  );
}

export const keyOfItem = ({ partner_id: id, currency }: Item): string => `${id} ${currency}`;

export const partnerColumn = (program: Program): Column<Item> => ({
  title: 'Partner',
  cell: ({ partner_name: name, partner_email: email, partner_id: id }) => (
    <>
      <a class="strong" href={programPath('partner', program.id, id)}>
        {name ?? `Partner ${id}`}
      </a>
      <div class="muted">{email}</div>
    </>
  ),
});

export const amountColumn: Column<Item> = {
  title: 'Amount',
  isNumber: true,
  cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
};
