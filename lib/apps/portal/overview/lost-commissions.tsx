import { useState } from 'preact/hooks';
import { countOf, moneysText } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { LONGEST_PAGE } from '#lib/apps/web/api/load-all.ts';
import { nextPage } from '#lib/apps/web/api/next-page.ts';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import type { PortalCommission } from '#lib/wire/reports/portal-figures.ts';

/** Commissions that the report's figures include although they were lost, and their sum, loaded on request. */
export function LostCommissions() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card day-table" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Refunds and rejections</summary>
      {isOpen && (
        <div class="stack">
          <p>
            Revenue counts each payment in full, on its day, whatever was refunded later. Commission counts what your
            sales earned, less what refunds took back, each on its day. Commissions that the brand rejected stay in it
            and pay nothing, except those that it rejected while they were in review: they never entered it.
          </p>
          <ul class="plain-list">
            <Lost
              status="rejected"
              text="rejected by the brand"
              centsOf={({ amount_cents: amount, deducted_cents: deducted }) => amount - deducted}
            />
            <Lost
              status="reversed"
              text="taken back, because the whole payment was refunded or charged back"
              centsOf={({ deducted_cents: deducted }) => deducted}
            />
          </ul>
          <p class="muted">
            Of a payment that was refunded in part, the list of your commissions shows the deduction in its row.
          </p>
        </div>
      )}
    </details>
  );
}

interface LostProps {
  readonly status: 'rejected' | 'reversed';
  readonly text: string;
  readonly centsOf: (commission: PortalCommission) => number;
}

/** Lists commissions of one status. Only the newest hundred are read, which is enough for most partners. */
function Lost({ status, text, centsOf }: LostProps) {
  const { api, path, addressOf } = useProgram();
  const list = `${path}/commissions`;
  const lost = useLoaded(
    () =>
      nextPage<PortalCommission>(
        (cursor) => api.answer(list, { status, limit: LONGEST_PAGE, cursor }),
        undefined,
        LONGEST_PAGE,
      ),
    [api, list, status],
  );
  const address = addressOf('commissions');
  return (
    <li>
      <WhenLoaded of={lost} what="Commissions that were lost">
        {({ items, cursor }) => {
          const sums: Record<string, number> = {};
          for (const one of items) sums[one.currency] = (sums[one.currency] ?? 0) + centsOf(one);
          const money = items.length === 0 ? 'Nothing' : moneysText(sums);
          return (
            <>
              <strong>{money}</strong> {text}
              {items.length > 0 && (
                <>
                  :{' '}
                  <a href={`${address}${address.includes('?') ? '&' : '?'}status=${status}`}>
                    {cursor === undefined ? countOf(items.length, 'commission') : `the newest ${items.length} of more`}
                  </a>
                </>
              )}
            </>
          );
        }}
      </WhenLoaded>
    </li>
  );
}
