import { useRoute } from 'preact-iso';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { StatementPage as SharedPage } from '#lib/apps/web/statement/statement-page.tsx';

/** The statement of a payment, for the partner. */
export function StatementPage() {
  const { api, path, addressOf } = useProgram();
  const { number = '' } = useRoute().params;
  // A number begins with the payout's id.
  const [payoutId] = number.split('-');
  return (
    <SharedPage
      api={api}
      path={path}
      number={number}
      back={<a href={addressOf('payout', payoutId)}>Payout {payoutId}</a>}
    />
  );
}
