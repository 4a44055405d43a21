import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { paymentColumns } from '#lib/apps/dashboard/payments/payment-columns.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Processor, UnattributedPayment } from '#lib/wire/conversions/processor.ts';

/** Payments that arrived but were not recorded, with the reasons. */
export function PaymentsPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const pages = usePages<UnattributedPayment>(api, `${path}/processor/payments`);
  const settings = `${programPath('settings', program.id)}#processor`;
  return (
    <Page
      title="Payments that did not become a sale"
      intro="Payments of the last 90 days that named a customer or click and were not recorded, newest first. Those that were recorded later are left out."
      actions={<a href={settings}>Card processor</a>}
    >
      <PagedTable
        label="Payments that did not become a sale"
        pages={pages}
        keyOf={({ event_id: eventId, event_type: type, transaction_id: id }) => `${eventId ?? type} ${id}`}
        columns={paymentColumns}
        empty={<NoPayments settings={settings} />}
      />
    </Page>
  );
}

function NoPayments({ settings }: { readonly settings: string }) {
  const { api } = useSession();
  const { path } = useProgram();
  const processor = useLoaded(() => api.get<Processor>(`${path}/processor`), [api, path]);
  const isConnected = processor.state !== 'ready' || processor.value.connected;
  return (
    <Empty title="There is none">
      {isConnected ? (
        <p>
          Every payment of the last 90 days that named a customer became a sale. Payments of people who did not come
          through a partner’s link are not listed: there is nothing to record.
        </p>
      ) : (
        <>
          <p>
            No card processor is connected, so payments come from your server only. Those of them that name a customer
            or click and are refused are listed here, and your server gets the refusal as an answer, too.
          </p>
          <a class="button" href={settings}>
            Connect a card processor
          </a>
        </>
      )}
    </Empty>
  );
}
