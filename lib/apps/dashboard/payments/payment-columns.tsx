import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { TryAgain } from '#lib/apps/dashboard/payments/try-again.tsx';
import { unattributedAmountText, unattributedTexts } from '#lib/apps/dashboard/payments/unattributed-texts.ts';
import type { UnattributedPayment } from '#lib/wire/conversions/processor.ts';

export const paymentColumns: readonly Column<UnattributedPayment>[] = [
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
];
