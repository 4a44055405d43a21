import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { partner } from '#lib/apps/dashboard/lists/columns.tsx';
import { csvOfRows } from '#lib/apps/dashboard/lists/csv.ts';
import { ofPartner } from '#lib/apps/dashboard/lists/filters.tsx';
import { CustomerLink, SaleLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { check, chips, period } from '#lib/apps/web/lists/filters.tsx';
import type { List } from '#lib/apps/web/lists/list.ts';
import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import type { TrackedEvent } from '#lib/wire/reports/event.ts';

const tones: Readonly<Record<TrackedEvent['type'], Tone>> = {
  click: 'plain',
  lead: 'waiting',
  sale: 'good',
  refund: 'bad',
};

const qualityTexts = { bot: 'bot', preview: 'preview', repeat: 'repeat', paid_ad: 'paid ad' } as const;

const types = [
  ['', 'All'],
  ['click', 'Clicks'],
  ['lead', 'Leads'],
  ['sale', 'Sales'],
  ['refund', 'Refunds'],
] as const;

export const eventList = (programId: number): List<TrackedEvent> => ({
  name: 'events',
  title: 'Events',
  keyOf: (event) => `${event.type} ${event.id}`,
  csv: csvOfRows,
  filters: [chips('type', 'Type', types), ofPartner, period, check('include_test', 'With test events')],
  // The CSV file contains events of all types. For a refund, the amount is the money that was returned.
  columns: [
    { title: 'Time', csv: { time: ({ created_at: at }) => at }, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      title: 'Type',
      csv: ['type', 'is_test'],
      cell: (event) => (
        <>
          <Badge tone={tones[event.type]}>{event.type}</Badge> {event.is_test && <Badge>test</Badge>}{' '}
          {event.type === 'click' && event.quality !== 'ok' && <Badge>{qualityTexts[event.quality]}</Badge>}
        </>
      ),
    },
    { title: 'What', cell: (event) => <What event={event} programId={programId} /> },
    partner,
    { title: 'Customer', csv: ['customer_key', 'click_id'], cell: (event) => <Customer event={event} /> },
    { csv: ['short_link', 'page_url', 'email_masked', 'transaction_id', 'amount_cents', 'refunded_amount_cents'] },
    { csv: ['currency', 'reason', 'code', 'quality'] },
  ],
  empty: (
    <Empty title="No events yet">
      <p>The first click, signup or sale appears here.</p>
      <a class="button" href={programPath('setup', programId)}>
        Go on with the set-up
      </a>
    </Empty>
  ),
  noMatch: { title: 'Nothing matches these filters', showAll: 'Show everything' },
});

interface CustomerProps {
  readonly event: TrackedEvent;
}

/**
 * Shows the customer of an event, with a link. Test events have no customer, nor have first clicks of bots and
 * previews.
 */
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
        {/* The amount is negative, because it was returned to the customer. */}
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

/** A repeat may come from a browser that did not keep the first click. */
const clickText = ({ first, quality, short_link: link }: Click): string =>
  `${first && quality !== 'repeat' ? 'First click' : 'Click'}${link ? ` through ${link}` : ''}`;

const refundTexts = {
  refund: 'refund of',
  chargeback: 'chargeback of',
  dispute_won: 'dispute won over',
  correction: 'correction of',
  duplicate: 'duplicate of another sale, reversed',
} as const;

export function EventsPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const list = useList(eventList(program.id), api, path);
  const { type } = list.filters.values;
  return (
    <ListPage
      of={list}
      programId={program.id}
      csvName={type === '' ? 'events' : `${type}s`}
      intro="Everything the service recorded, newest first."
      related={<a href={programPath('payments', program.id)}>Payments that did not become a sale</a>}
      actions={
        <button type="button" class="button" onClick={() => void list.pages.reload()}>
          Refresh
        </button>
      }
    />
  );
}
