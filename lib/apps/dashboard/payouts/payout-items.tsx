import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { countText } from '#lib/apps/web/format.ts';
import { Money } from '#lib/apps/web/parts/money.tsx';
import { Table } from '#lib/apps/web/parts/table.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { PayoutPreview } from '#lib/wire/payout.ts';

interface PayoutItemsProps {
  readonly label: string;
  readonly items: PayoutPreview['items'];
}

/** What each partner gets, in each currency. */
export function PayoutItems({ label, items }: PayoutItemsProps) {
  const { program } = useProgram();
  return (
    <div class="card table-card">
      <Table
        label={label}
        rows={items}
        keyOf={({ partner_id: id, currency }) => `${id} ${currency}`}
        columns={[
          {
            title: 'Partner',
            cell: ({ partner_name: name, partner_email: email, partner_id: id }) => (
              <>
                <a class="strong" href={programPath('partner', program.id, id)}>
                  {name ?? `Partner ${id}`}
                </a>
                <div class="muted">{email}</div>
              </>
            ),
          },
          { title: 'Commissions', isNumber: true, cell: ({ commission_ids: ids }) => countText(ids.length) },
          {
            title: 'Amount',
            isNumber: true,
            cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
          },
        ]}
      />
    </div>
  );
}
