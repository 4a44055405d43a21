import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { LineStatusBadge } from '#lib/apps/dashboard/payouts/lines/line-status-badge.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';

export const nameOfLine = ({ partner_name: name, partner_id: id }: PayoutLine): string => name ?? `Partner ${id}`;

/** The columns of a list of lines. @param isOwner for owners, a line's number links to its statement */
export const lineColumns = (programId: number, isOwner: boolean): readonly Column<PayoutLine>[] => [
  {
    title: 'Partner',
    cell: (line) => (
      <>
        <a class="strong" href={programPath('partner', programId, line.partner_id)}>
          {nameOfLine(line)}
        </a>
        <div class="muted">{line.partner_email}</div>
      </>
    ),
  },
  { title: 'Paid to', cell: (line) => <Destination of={line} /> },
  {
    title: 'Number',
    cell: ({ number, commissions }) => (
      <>
        {isOwner ? (
          <a class="identifier whole" href={programPath('statement', programId, number)}>
            {number}
          </a>
        ) : (
          <span class="identifier whole">{number}</span>
        )}
        <div>
          <a class="muted" href={programPath('payoutLine', programId, number)}>
            {countOf(commissions, 'commission')}
          </a>
        </div>
      </>
    ),
  },
  { title: 'Status', cell: (line) => <StatusOfLine of={line} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
  },
];

/** Shows to where the money is sent, or was sent. */
export const Destination = ({ of: { method, masked } }: { readonly of: Pick<PayoutLine, 'method' | 'masked'> }) =>
  method === null ? (
    <Badge tone="waiting">No details</Badge>
  ) : (
    <>
      {payoutMethods[method]}
      <div class="identifier whole muted">{masked}</div>
    </>
  );

/** Shows the status and since when, the reason if the line failed or is void, and the reference of the payment. */
export function StatusOfLine({
  of: { status, sent_at, paid_at, ended_at, reason, reference, returning },
}: {
  readonly of: PayoutLine;
}) {
  const since = ended_at ?? paid_at ?? sent_at;
  return (
    <>
      <LineStatusBadge status={status} />{' '}
      {since !== null && (
        <span class="muted">
          <Day at={since} />
        </span>
      )}
      {reason !== null && <div class="muted">{reason}</div>}
      {reference !== null && <div class="muted">Reference: {reference}</div>}
      {returning && <div class="muted">Its commissions become due again in a moment.</div>}
    </>
  );
}
