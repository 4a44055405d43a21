import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { daysText } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useQuery } from '#lib/apps/web/hooks/use-query.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PartnerLink, ShortLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { CorrectRefund } from '#lib/apps/dashboard/sale/correct-refund.tsx';
import { RefundsTable } from '#lib/apps/dashboard/sale/refunds-table.tsx';
import { Timeline } from '#lib/apps/web/parts/figures/timeline.tsx';
import { Unknown } from '#lib/apps/dashboard/parts/unknown.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { SaleFacts } from '#lib/apps/dashboard/sale/sale-facts.tsx';
import { whyText } from '#lib/apps/dashboard/sale/why-text.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';

/** Explains why this partner gets the commission for this sale. */
export function SalePage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { transaction = '' } = useQuery();
  const story = useLoaded(
    // The transaction id is in the query, because not every id can be part of a path.
    () => api.get<ExplainedSale>(`${path}/sales`, { transaction_id: transaction }),
    [api, path, transaction],
  );
  const all = <a href={programPath('commissions', program.id)}>All commissions</a>;
  if (story.state === 'failed' && story.error.status === 404) {
    return (
      <Unknown
        title="There is no such sale"
        name={transaction}
        ways={
          <>
            <a href={programPath('payments', program.id)}>Payments that did not become a sale</a>
            {all}
          </>
        }
      >
        {transaction === '' ? (
          'The address names no transaction id.'
        ) : (
          <>
            No sale of this program has the transaction id <code>{transaction}</code>. The payment may not have become a
            sale, or your server sent it with another id.
          </>
        )}
      </Unknown>
    );
  }
  return (
    <Page title={`Sale ${transaction}`} back={all}>
      <WhenLoaded of={story}>{(loaded) => <Story story={loaded} onChange={story.reload} />}</WhenLoaded>
    </Page>
  );
}

interface StoryProps {
  readonly story: ExplainedSale;
  readonly onChange: () => Promise<void>;
}

function Story({ story, onChange }: StoryProps) {
  const { sale, attribution, commission } = story;
  const { partner } = attribution;
  const refunds = story.refunds.map((refund) => ({
    ...refund,
    transaction_id: sale.transaction_id,
    currency: sale.currency,
    commissionCurrency: commission?.currency,
  }));
  return (
    <>
      <section class="card why" aria-labelledby="why">
        <h2 id="why">{partner ? `Why ${partner.name ?? 'this partner'}` : 'Why no partner'}</h2>
        <p class="why-text">{whyText(attribution)}</p>
        <WindowText window={story.window} />
        {partner && (
          <p>
            Partner: <PartnerLink id={partner.id} name={partner.name} />
            {partner.short_link !== null && (
              <>
                , link: <ShortLink of={partner.short_link} />
              </>
            )}
          </p>
        )}
      </section>
      {refunds.length > 0 && (
        <RefundsTable refunds={refunds} action={<CorrectRefund sale={sale} onChange={onChange} />} />
      )}
      <div class="columns">
        <section class="card" aria-labelledby="timeline">
          <h2 id="timeline">What happened</h2>
          <Timeline steps={story.timeline} />
        </section>
        <SaleFacts story={story} onChange={onChange} />
      </div>
    </>
  );
}

const unchecked = {
  conversion_already_recorded: 'this customer had bought before',
  brought_by_code: 'this customer came by a code',
} as const;

function WindowText({ window }: { readonly window: ExplainedSale['window'] }) {
  if (!window) return null;
  if (!window.checked) {
    return <p class="muted">The attribution window was not checked: {unchecked[window.reason]}.</p>;
  }
  const { age_days: days, window_days: most, compared_with: comparedWith } = window;
  return (
    <p class="muted">
      The first click came {daysText(days ?? 0)} before the {comparedWith}, within the window of {most} days.
    </p>
  );
}
