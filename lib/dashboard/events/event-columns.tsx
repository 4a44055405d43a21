import { programPath } from '#lib/dashboard/page-paths.ts';
import { Badge, type Tone } from '#lib/dashboard/parts/badge.tsx';
import { Money } from '#lib/dashboard/parts/money.tsx';
import type { Column } from '#lib/dashboard/parts/table.tsx';
import { Time } from '#lib/dashboard/parts/time.tsx';
import type { TrackedEvent } from '#lib/dashboard/wire.ts';

const tones: Readonly<Record<TrackedEvent['type'], Tone>> = {
  click: 'plain',
  lead: 'waiting',
  sale: 'good',
  refund: 'bad',
};

export const eventColumns = (programId: number): readonly Column<TrackedEvent>[] => [
  { title: 'Time', cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: 'Type',
    cell: ({ type, is_test: isTest }) => (
      <>
        <Badge tone={tones[type]}>{type}</Badge> {isTest && <Badge>test</Badge>}
      </>
    ),
  },
  { title: 'What', cell: (event) => <What event={event} programId={programId} /> },
  { title: 'Partner', cell: ({ partner_name: name }) => name ?? <span class="muted">–</span> },
  {
    title: 'Customer',
    cell: ({ customer_key: key, click_id: clickId }) => (
      <span class="identifier" title={key ?? clickId ?? undefined}>
        {key ?? clickId ?? '–'}
      </span>
    ),
  },
];

function What({ event, programId }: { readonly event: TrackedEvent; readonly programId: number }) {
  switch (event.type) {
    case 'click':
      return (
        <>
          {event.first ? 'First click' : 'Click'}
          {event.short_link && ` through ${event.short_link}`}
        </>
      );
    case 'lead':
      return (
        <>
          {event.state === 'provisional' ? 'Provisional signup' : 'Signup'} by {event.mode}
          {event.email_masked && <div class="muted">{event.email_masked}</div>}
        </>
      );
    case 'sale':
      return (
        <>
          <Money cents={event.amount_cents} currency={event.currency} />{' '}
          <SaleLink transactionId={event.transaction_id} programId={programId} />
        </>
      );
    case 'refund':
      return (
        <>
          {refundTexts[event.reason]} of sale <SaleLink transactionId={event.transaction_id} programId={programId} />
        </>
      );
  }
}

const refundTexts = { refund: 'Refund', chargeback: 'Chargeback', dispute_won: 'Dispute won' } as const;

interface SaleLinkProps {
  readonly transactionId: string;
  readonly programId: number;
}

/** Leads to the explanation of a sale. */
export const SaleLink = ({ transactionId, programId }: SaleLinkProps) => (
  <a
    class="identifier"
    title={transactionId}
    href={`${programPath('sale', programId)}?transaction=${encodeURIComponent(transactionId)}`}
  >
    {transactionId}
  </a>
);
