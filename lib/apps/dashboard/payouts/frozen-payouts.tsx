import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Workspace } from '#lib/wire/people/people.ts';

/** Whether all payouts are stopped; false while that is not known. */
export function usePayoutsFrozen(): boolean {
  const { api } = useSession();
  const workspace = useLoaded(() => api.get<Workspace>('/workspace'), [api]);
  return workspace.state === 'ready' && workspace.value.payouts_frozen;
}

/** Says that all payouts are stopped, and that buttons are disabled for this reason. */
export const FrozenPayouts = () => (
  <p class="notice warning" role="status">
    <strong>Payouts are frozen.</strong> Nothing is paid out until an owner thaws them under{' '}
    <a href={pagePaths.members}>Members</a>, or the operator of this service if it was the operator who froze them.
  </p>
);
