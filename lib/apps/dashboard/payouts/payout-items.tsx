import type { ComponentChildren } from 'preact';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf, countText } from '#lib/apps/web/format.ts';
import { payoutMethods } from '#lib/apps/dashboard/partners/partner/paid-to.tsx';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Payout, PayoutPreview } from '#lib/wire/earnings/payout.ts';
import type { Program } from '#lib/wire/programs/program.ts';

type Item = Omit<Payout['items'][number], 'commission_ids'>;

/** The items before the payout is recorded, with each partner's payout details. */
export function PreviewedItems({ items }: Pick<PayoutPreview, 'items'>) {
  const without = new Set(items.flatMap(({ payout, partner_id: id }) => (payout === null ? [id] : []))).size;
  return (
    <>
      {without > 0 && (
        <p class="notice warning">
          <strong>{countOf(without, 'partner')} without payout details.</strong> Partners who have not accepted yet, or
          have left, share none. Ask them to accept in the partner portal and to enter where their money goes, or pay
          them another way.
        </p>
      )}
      <Items
        label="Amounts to send"
        items={items}
        noteOf={(item) => <Flagged of={item} />}
        ways={[
          {
            title: 'Paid to',
            cell: ({ payout, new_since_last_payout: isNew }) => (
              <>
                {payout === null ? (
                  <Badge tone="waiting">No details</Badge>
                ) : (
                  <>
                    {payoutMethods[payout.method]}
                    <div class="identifier whole muted">{payout.masked}</div>
                  </>
                )}
                {isNew && payout !== null && <Badge tone="waiting">New since the last payout</Badge>}
              </>
            ),
          },
        ]}
      />
    </>
  );
}

interface ItemsProps<Shown> {
  readonly label: string;
  readonly items: readonly Shown[];
  readonly ways: readonly Column<Shown>[];
  /** A note below the number of commissions. */
  readonly noteOf?: (item: Shown) => ComponentChildren;
}

function Items<Shown extends Payout['items'][number]>({ label, items, ways, noteOf }: ItemsProps<Shown>) {
  const { program } = useProgram();
  return (
    <div class="card table-card">
      <Table
        label={label}
        rows={items}
        keyOf={keyOfItem}
        columns={[
          partnerColumn(program),
          ...ways,
          {
            title: 'Commissions',
            isNumber: true,
            cell: (item) => (
              <>
                {countText(item.commission_ids.length)}
                {noteOf?.(item)}
              </>
            ),
          },
          amountColumn,
        ]}
      />
    </div>
  );
}

type LeftOut = PayoutPreview['left_out'][number];

/** Approved amounts that are not part of the payout. */
export function HeldItems({ items }: { readonly items: PayoutPreview['left_out'] }) {
  const { program } = useProgram();
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="held">
      <div class="section-header">
        <h2 id="held">Held back</h2>
      </div>
      <div class="card table-card">
        <Table
          label="Held back"
          rows={items}
          keyOf={keyOfItem}
          columns={[
            partnerColumn(program),
            {
              title: 'Can be paid from',
              // For a partner without shared details, only a change of the address can be the reason.
              cell: ({ payout }: LeftOut) =>
                payout?.held_until ? <Time at={payout.held_until} /> : '72 hours after the change of the address',
            },
            amountColumn,
          ]}
        />
        <p class="hint table-note">
          Where these partners are paid, or their address, was just changed. They can be paid 24 hours after a change of
          the details and 72 hours after one of the address, so that whoever took over an account is not paid. These are
          the amounts that are left after refunds.
        </p>
      </div>
    </section>
  );
}

/** Links to commissions that a rule has flagged and that have not been reviewed. */
function Flagged({ of: { flagged, partner_id: id, currency } }: { readonly of: PayoutPreview['items'][number] }) {
  const { program } = useProgram();
  if (flagged === 0) return null;
  const query = new URLSearchParams({ flagged: 'true', partner_id: String(id), currency });
  return (
    <div>
      <a href={`${programPath('commissions', program.id)}?${query}`}>{countText(flagged)} flagged</a>
    </div>
  );
}

const keyOfItem = ({ partner_id: id, currency }: Item): string => `${id} ${currency}`;

const partnerColumn = (program: Program): Column<Item> => ({
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

const amountColumn: Column<Item> = {
  title: 'Amount',
  isNumber: true,
  cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
};
