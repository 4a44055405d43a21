import { useRoute } from 'preact-iso';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { StatementPage as SharedPage } from '#lib/apps/web/statement/statement-page.tsx';

/** Shows the statement about a payout line to the brand. */
export function StatementPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { number = '' } = useRoute().params;
  return (
    <SharedPage
      api={api}
      path={path}
      number={number}
      back={<a href={programPath('payoutLine', program.id, number)}>Payout line {number}</a>}
      all={<a href={programPath('payouts', program.id)}>All payouts</a>}
    />
  );
}
