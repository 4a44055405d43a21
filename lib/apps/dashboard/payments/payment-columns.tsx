import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { TryAgain } from '#lib/apps/dashboard/payments/try-again.tsx';
import { unsoldAmountText, unsoldTexts } from '#lib/apps/dashboard/payments/unsold-texts.ts';
import type { UnsoldPayment } from '#lib/wire/conversions/processor.ts';

export const paymentColumns: readonly Column<UnsoldPayment>[] = [
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
    cell: (payment) => <span class="money">{unsoldAmountText(payment)}</span>,
  },
  {
    title: 'Why',
    cell: ({ reason, detail }) => (
      <>
        {unsoldTexts[reason].why}
        {detail !== null && <div class="muted">{detail}</div>}
      </>
    ),
  },
  {
    title: 'What to do',
    cell: ({ reason, event_id: eventId, transaction_id: id }) => (
      <>
        <p>{unsoldTexts[reason].whatToDo}</p>
        <TryAgain id={eventId ?? id} name={id} />
      </>
    ),
  },
];
