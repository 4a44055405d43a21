import { useRoute } from 'preact-iso';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import { StatementPage as SharedPage } from '#lib/apps/web/statement/statement-page.tsx';
import type { Statement } from '#lib/wire/reports/statement.ts';

/** How a partner without an address on the statement gets one. It changes until the payment is sent. */
function hintOf({ status, payee }: Statement) {
  if (payee.address !== null) return null;
  const which = status === 'recorded' ? 'This statement and later ones print' : 'Statements of later payments print';
  return (
    <p class="hint">
      {which} your address once you have entered it in your{' '}
      <a href={`${portalPaths.payoutDetails}#billing`}>billing details</a>.
    </p>
  );
}

/** The statement of a payment, for the partner. */
export function StatementPage() {
  const { api, path, addressOf, isOwnersView } = useProgram();
  const { number = '' } = useRoute().params;
  // A number begins with the payout's id.
  const [payoutId] = number.split('-');
  return (
    <SharedPage
      api={api}
      path={path}
      number={number}
      back={<a href={addressOf('payout', payoutId)}>Payout {payoutId}</a>}
      all={<a href={addressOf('payouts')}>All payouts</a>}
      hintOf={isOwnersView ? undefined : hintOf}
    />
  );
}
