import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Badge, type Tone } from '#lib/apps/dashboard/parts/badge.tsx';
import { Money } from '#lib/apps/dashboard/parts/money.tsx';
import type { Column } from '#lib/apps/dashboard/parts/table.tsx';
import { Time } from '#lib/apps/dashboard/parts/time.tsx';
import type { TrackedEvent } from '#lib/wire/event.ts';

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

interface WhatProps {
  readonly event: TrackedEvent;
  readonly programId: number;
}

function What({ event, programId }: WhatProps) {
  if (event.type === 'click') return <>{clickText(event)}</>;
  if (event.type === 'lead') {
    return (
      <>
        {event.state === 'provisional' ? 'Provisional signup' : 'Signup'} by {event.mode}
        {event.email_masked && <div class="muted">{event.email_masked}</div>}
      </>
    );
  }
  const sale = <SaleLink transactionId={event.transaction_id} programId={programId} />;
  return event.type === 'sale' ? (
    <>
      <Money cents={event.amount_cents} currency={event.currency} /> {sale}
    </>
  ) : (
    <>
      {refundTexts[event.reason]} of sale {sale}
    </>
  );
}

type Click = Extract<TrackedEvent, { readonly type: 'click' }>;

const clickText = ({ first, short_link: link }: Click): string =>
  `${first ? 'First click' : 'Click'}${link ? ` through ${link}` : ''}`;

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
