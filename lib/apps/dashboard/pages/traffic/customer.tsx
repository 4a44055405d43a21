import { useRoute } from 'preact-iso';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { attributionOf, erasureOf, unlinkingOf } from '#lib/apps/dashboard/customer/attribution.ts';
import { CustomerFacts } from '#lib/apps/dashboard/customer/customer-facts.tsx';
import { EraseCustomer, ErasureStatus } from '#lib/apps/dashboard/customer/erase-customer.tsx';
import { CustomerSales } from '#lib/apps/dashboard/customer/customer-sales.tsx';
import { UnlinkCustomer } from '#lib/apps/dashboard/customer/unlink-customer.tsx';
import { nameOf } from '#lib/apps/dashboard/customers/customer-texts.ts';
import { DownloadButton } from '#lib/apps/dashboard/payouts/files/download-button.tsx';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { Timeline } from '#lib/apps/web/parts/figures/timeline.tsx';
import { Unknown } from '#lib/apps/dashboard/parts/unknown.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';

/** Shows everything that is known about a customer, in order of time. */
export function CustomerPage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { click_id: clickId = '' } = useRoute().params;
  const story = useLoaded(
    () => api.get<CustomerHistory>(`${path}/customers/${encodeURIComponent(clickId)}`),
    [api, path, clickId],
  );
  const all = <a href={programPath('customers', program.id)}>All customers</a>;
  if (story.state === 'failed' && story.error.status === 404) {
    return (
      <Unknown title="There is no such customer" name={clickId} ways={all}>
        No customer of this program has the click id <code>{clickId}</code>. A customer is addressed by the id of the
        first click; search finds it by your id or e-mail address too.
      </Unknown>
    );
  }
  const loaded = story.state === 'ready' ? story.value : undefined;
  const isOpen = isOwner && loaded && !erasureOf(loaded);
  return (
    <Page
      title={loaded ? nameOf(loaded.customer) : 'Customer'}
      back={all}
      actions={
        <>
          {loaded && !isOwner && <span class="hint">A workspace owner can unlink, export and erase a customer.</span>}
          {isOpen && !unlinkingOf(loaded) && <UnlinkCustomer clickId={clickId} onUnlinked={story.reload} />}
          {isOwner && loaded && (
            <DownloadButton
              text="Export"
              path={`${path}/customers/${encodeURIComponent(clickId)}/export`}
              query={{}}
              fileName={`customer-${clickId}.json`}
            />
          )}
          {isOpen && <EraseCustomer clickId={clickId} onErased={story.reload} />}
        </>
      }
    >
      <WhenLoaded of={story}>{(value) => <Story story={value} />}</WhenLoaded>
    </Page>
  );
}

function Story({ story }: { readonly story: CustomerHistory }) {
  const { title, text } = attributionOf(story);
  const { isOwner } = useSession();
  const unlinking = unlinkingOf(story);
  const erasure = erasureOf(story);
  return (
    <>
      {unlinking && (
        <div class="notice warning" role="status">
          <p>
            {unlinking.text} (<Time at={unlinking.at} />)
          </p>
        </div>
      )}
      {erasure && (
        <div class="notice" role="status">
          <p>
            This customer’s personal data were erased on <Time at={erasure.at} />.{' '}
            {isOwner && <ErasureStatus clickId={story.customer.click_id} />}
          </p>
        </div>
      )}
      <section class="card why" aria-labelledby="why">
        <h2 id="why">{title}</h2>
        <p class="why-text">{text}</p>
      </section>
      <CustomerSales story={story} />
      <div class="columns">
        <section class="card" aria-labelledby="timeline">
          <h2 id="timeline">What happened</h2>
          <Timeline steps={story.timeline} />
        </section>
        <div class="stack">
          <CustomerFacts customer={story.customer} isErased={erasure !== undefined} />
        </div>
      </div>
    </>
  );
}
