import { lineTotals } from '#lib/apps/dashboard/payouts/lines/line-changes.ts';
import { keyOfItem, partnerColumn, amountColumn } from '#lib/apps/dashboard/payouts/new/previewed-items.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf, countText, moneysText, moneyText } from '#lib/apps/web/format.ts';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import type { PayoutPreview } from '#lib/wire/earnings/payout.ts';
import type { Program } from '#lib/wire/programs/program.ts';

type LeftOutItem = PayoutPreview['left_out'][number];

/** Lists amounts that are due but not part of the payout, with reasons. Those that filters hide are only counted. */
export function LeftOut({ preview: { left_out: all, counts } }: { readonly preview: PayoutPreview }) {
  const { program } = useProgram();
  const hidden = all.filter(({ reason }) => reason === 'not_chosen');
  const shown = all.filter(({ reason }) => reason !== 'not_chosen');
  const isHeld = shown.some(({ reason }) => reason === 'held');
  const without = new Set(shown.filter(({ reason }) => reason === 'no_details').map(({ partner_id: id }) => id)).size;
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="left-out">
      <div class="section-header">
        <h2 id="left-out">Left out</h2>
        <span class="muted">{moneysText(lineTotals(all))}</span>
      </div>
      {shown.length > 0 && (
        <div class="card table-card">
          <Table
            label="Left out"
            rows={shown}
            keyOf={keyOfItem}
            columns={[
              partnerColumn(program),
              { title: 'Reason', cell: (item: LeftOutItem) => <Reason of={item} program={program} /> },
              amountColumn,
            ]}
          />
          {isHeld && (
            <p class="hint table-note">
              Where some of these partners are paid, or their address, was just changed. They can be paid 24 hours after
              a change of the details and 72 hours after one of the address, so that whoever took over an account is not
              paid. These are the amounts that are left after refunds.
            </p>
          )}
          {without > 0 && (
            <p class="hint table-note">
              {countOf(without, 'partner')} without payout details: partners who have not accepted yet, or have left,
              share none. Ask them to accept in the partner portal and to enter where their money goes.
            </p>
          )}
        </div>
      )}
      {hidden.length > 0 && (
        <p class="hint">
          Not in this choice: {moneysText(lineTotals(hidden))} of{' '}
          {countOf(new Set(hidden.map(({ partner_id: id }) => id)).size, 'partner')}.
        </p>
      )}
      {counts.left_out > all.length && (
        <p class="hint">
          These are the first {countText(all.length)} of {countText(counts.left_out)}.
        </p>
      )}
    </section>
  );
}

function Reason({ of: { reason, payout }, program }: { readonly of: LeftOutItem; readonly program: Program }) {
  if (reason === 'no_details') return <>No payout details</>;
  if (reason === 'below_minimum') {
    return <>Carried over: below the minimum of {moneyText(program.minimum_payout_cents, program.currency)}</>;
  }
  return (
    <>
      Just changed. Can be paid from{' '}
      {/* If no payout details have a hold with an end, the hold can only come from a change of the e-mail address. */}
      {payout?.held_until ? <Minute at={payout.held_until} /> : '72 hours after the change of the address'}
    </>
  );
}
