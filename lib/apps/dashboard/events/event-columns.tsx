import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { CustomerLink, PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { salePath } from '#lib/apps/dashboard/lists/query-paths.ts';
import type { TrackedEvent } from '#lib/wire/reports/event.ts';

const tones: Readonly<Record<TrackedEvent['type'], Tone>> = {
  click: 'plain',
  lead: 'waiting',
  sale: 'good',
  refund: 'bad',
};

const qualityTexts = { bot: 'bot', preview: 'preview', repeat: 'repeat', paid_ad: 'paid ad' } as const;

export const eventColumns = (programId: number): readonly Column<TrackedEvent>[] => [
  { title: 'Time', cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: 'Type',
    cell: (event) => (
      <>
        <Badge tone={tones[event.type]}>{event.type}</Badge> {event.is_test && <Badge>test</Badge>}{' '}
        {event.type === 'click' && event.quality !== 'ok' && <Badge>{qualityTexts[event.quality]}</Badge>}
      </>
    ),
  },
  { title: 'What', cell: (event) => <What event={event} programId={programId} /> },
  {
    title: 'Partner',
    cell: ({ partner_id: id, partner_name: name }) => <PartnerLink id={id} name={name} />,
  },
  { title: 'Customer', cell: (event) => <Customer event={event} /> },
];

interface CustomerProps {
  readonly event: TrackedEvent;
}

/** Tests, and first clicks of bots or previews, create no customer to link to. */
function Customer({ event }: CustomerProps) {
  const { customer_key: key, click_id: clickId, is_test: isTest } = event;
  const isAutomatic = event.type === 'click' && event.first && /^(bot|preview)$/.test(event.quality);
  if (clickId !== null && !isTest && !isAutomatic) return <CustomerLink clickId={clickId} customerKey={key} />;
  const known = key ?? clickId;
  return (
    <span class="identifier" title={known ?? undefined}>
      {known ?? '–'}
    </span>
  );
}

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
  if (event.type === 'refund') {
    return (
      <>
        {/* Money returned to the customer. */}
        <Money cents={-event.amount_cents} currency={event.currency} /> {refundTexts[event.reason]} {sale}
        {event.refund_reason && <div class="muted">{event.refund_reason}</div>}
      </>
    );
  }
  return (
    <>
      <Money cents={event.amount_cents} currency={event.currency} /> {sale}
      {event.code !== null && <div class="muted">with code {event.code}</div>}
      {event.refunded_amount_cents > 0 && (
        <div class="muted">
          refunded <Money cents={event.refunded_amount_cents} currency={event.currency} />
        </div>
      )}
    </>
  );
}

type Click = Extract<TrackedEvent, { readonly type: 'click' }>;

const clickText = ({ first, short_link: link }: Click): string =>
  `${first ? 'First click' : 'Click'}${link ? ` through ${link}` : ''}`;

const refundTexts = {
  refund: 'refund of',
  chargeback: 'chargeback of',
  dispute_won: 'dispute won over',
  correction: 'correction of',
  duplicate: 'duplicate of another sale, reversed',
} as const;

interface SaleLinkProps {
  readonly transactionId: string;
  readonly programId: number;
}

/** Links to the explanation of a sale. */
export const SaleLink = ({ transactionId, programId }: SaleLinkProps) => (
  <a class="identifier" title={transactionId} href={salePath(programId, transactionId)}>
    {transactionId}
  </a>
);
