import { TryAgain } from '#lib/apps/dashboard/payments/try-again.tsx';
import { unattributedAmountText, unattributedTexts } from '#lib/apps/dashboard/payments/unattributed-texts.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { List } from '#lib/apps/web/lists/list.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import type { Processor, UnattributedPayment } from '#lib/wire/conversions/processor.ts';

/** The list of payments that were reported but not recorded as sales, with the reasons. */
const paymentList = (settings: string): List<UnattributedPayment> => ({
  name: 'payments',
  title: 'Payments that did not become a sale',
  keyOf: ({ event_id: eventId, event_type: type, transaction_id: id }) => `${eventId ?? type} ${id}`,
  columns: [
    {
      title: 'Payment',
      cell: ({ transaction_id: id, event_type: type }) => (
        <>
          <span class="identifier" title={id}>
            {id}
          </span>
          <div class="muted">{type === 'api' ? 'sent by your server' : type}</div>
        </>
      ),
    },
    { title: 'Came in', cell: ({ at }) => <Time at={at} /> },
    {
      title: 'Amount',
      isNumber: true,
      cell: (payment) => <span class="money">{unattributedAmountText(payment)}</span>,
    },
    {
      title: 'Why',
      cell: ({ reason, detail }) => (
        <>
          {unattributedTexts[reason].why}
          {detail !== null && <div class="muted">{detail}</div>}
        </>
      ),
    },
    {
      title: 'What to do',
      cell: ({ reason, event_id: eventId, transaction_id: id }) => (
        <>
          <p>{unattributedTexts[reason].whatToDo}</p>
          <TryAgain id={eventId ?? id} name={id} />
        </>
      ),
    },
  ],
  empty: <NoPayments settings={settings} />,
});

export function PaymentsPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const settings = sectionPath(program.id, 'processor');
  return (
    <ListPage
      of={useList(paymentList(settings), api, `${path}/processor`)}
      intro="Payments of the last 90 days that named a customer or click and were not recorded, newest first. Those that were recorded later are left out."
      actions={<a href={settings}>Card processor</a>}
    />
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
