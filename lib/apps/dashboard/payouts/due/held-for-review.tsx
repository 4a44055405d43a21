import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadWaiting } from '#lib/apps/dashboard/overview/load-waiting.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

/** Says how many commissions payouts leave out because a rule holds them. If that cannot be loaded, shows nothing. */
export function HeldForReview() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const held = useLoaded(() => loadWaiting(api, `${path}/commissions`, 'held'), [api, path]);
  if (held.state !== 'ready' || held.value === undefined) return null;
  return (
    <p class="held-for-review">
      <a href={`${programPath('commissions', program.id)}?status=held`}>
        {held.value} {held.value === '1' ? 'commission is' : 'commissions are'} held for review
      </a>{' '}
      and in no payout.
    </p>
  );
}
