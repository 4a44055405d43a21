import type { ComponentChildren } from 'preact';
import type { Api } from '#lib/apps/web/api/api.ts';
import { countText } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Fact } from '#lib/apps/web/parts/figures/facts.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { DayOfUtc } from '#lib/apps/web/parts/figures/time.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import type { Statement } from '#lib/wire/reports/statement.ts';

interface StatementPageProps {
  readonly api: Api;
  /** Path of the program in the API. */
  readonly path: string;
  readonly number: string;
  /** A link to the payment. */
  readonly back?: ComponentChildren;
  /** A link to the list of payouts, for an address with a wrong number. */
  readonly all: ComponentChildren;
  /** Returns what the reader can still change about the statement. It is not printed. */
  readonly hintOf?: (statement: Statement) => ComponentChildren;
}

/** The statement of a payout line for both sides. It prints on A4 without the navigation. */
export function StatementPage({ api, path, number, back, all, hintOf }: StatementPageProps) {
  const own = `${path}/statements/${encodeURIComponent(number)}`;
  const statement = useLoaded(() => api.get<Statement>(own), [api, own]);
  if (statement.state === 'failed' && statement.error.status === 404) {
    return (
      <Page title="There is no such statement">
        <div class="card">
          <Empty title={`No statement here has the number ${number}`}>
            <p>The address may be mistyped, or the statement belongs to someone else or to another program.</p>
            {all}
          </Empty>
        </div>
      </Page>
    );
  }
  return (
    <Page
      title={`Statement ${number}`}
      back={back}
      actions={
        statement.state === 'ready' && (
          <>
            <ExportButton
              fileName={`statement-${number}.csv`}
              make={async () => ({ content: await api.download(`${own}.csv`), isWhole: true })}
            />
            <button type="button" class="button primary" onClick={() => print()}>
              Print or save as PDF
            </button>
          </>
        )
      }
    >
      <WhenLoaded of={statement}>
        {(loaded) => (
          <>
            <Sheet of={loaded} />
            <div class="no-print">{hintOf?.(loaded)}</div>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

const statuses = {
  recorded: 'Recorded, not sent yet',
  sent: 'Sent',
  paid: 'Paid',
  failed: 'Failed: this amount was not paid',
  void: 'Void: this amount was not paid',
} as const;

function Sheet({ of }: { readonly of: Statement }) {
  const { currency, items, items_total: count, total_cents: total, paid_to: paidTo, note } = of;
  return (
    <article class="card statement" aria-label={`Statement ${of.number}`}>
      <div class="statement-parties">
        <PartyBlock title="From" of={of.payer} />
        <PartyBlock title="To" of={of.payee} />
      </div>
      <dl class="facts">
        <Fact name="Program">{of.program.name}</Fact>
        <Fact name="Issued">
          <DayOfUtc on={of.issued_on} />
        </Fact>
        <Fact name="Status">
          {statuses[of.status]}
          {of.reason !== null && ` (${of.reason})`}
        </Fact>
        {of.sent_on !== null && (
          <Fact name="Sent">
            <DayOfUtc on={of.sent_on} />
          </Fact>
        )}
        {of.paid_on !== null && (
          <Fact name="Paid">
            <DayOfUtc on={of.paid_on} />
          </Fact>
        )}
        {of.ended_on !== null && (
          <Fact name="Ended">
            <DayOfUtc on={of.ended_on} />
          </Fact>
        )}
        {paidTo !== null && (
          <Fact name="Paid to">
            {payoutMethods[paidTo.method]} <span class="identifier">{paidTo.masked}</span>
          </Fact>
        )}
        {of.reference !== null && <Fact name="Reference">{of.reference}</Fact>}
        <Fact name="Total">
          <strong>
            <Money cents={total} currency={currency} />
          </strong>
        </Fact>
      </dl>
      <Table
        label="Commissions"
        rows={items}
        keyOf={({ commission_id: id }) => id}
        columns={[
          { title: 'For', cell: ({ text }) => text },
          { title: 'Day (UTC)', cell: ({ occurred_at: at }) => <DayOfUtc on={at.slice(0, 10)} /> },
          { title: 'Number', cell: ({ commission_id: id }) => id },
          {
            title: 'Amount',
            isNumber: true,
            cell: ({ amount_cents: cents }) => <Money cents={cents} currency={currency} />,
          },
        ]}
      />
      {count > items.length && (
        <p class="hint">
          These are the first {countText(items.length)} of {countText(count)} commissions. The CSV file has all of them.
        </p>
      )}
      {note !== null && <p class="written">{note}</p>}
    </article>
  );
}

interface PartyBlockProps {
  readonly title: string;
  readonly of: Statement['payer'];
}

const PartyBlock = ({ title, of: { name, address, country, tax_id: taxId } }: PartyBlockProps) => (
  <section>
    <h2>{title}</h2>
    <p class="strong">{name}</p>
    {address !== null && <p class="written">{address}</p>}
    {country !== null && <p>{country}</p>}
    {taxId !== null && <p>Tax id: {taxId}</p>}
  </section>
);
