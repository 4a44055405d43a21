import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { recorderText } from '#lib/apps/dashboard/payouts/payout-text.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Member } from '#lib/wire/people/people.ts';

/** Returns who recorded a payout: a name once the members are loaded, before that the number of the account. */
export function useRecorder(): (createdBy: string) => string {
  const { api } = useSession();
  const members = useLoaded(() => loadAll<Member>(api, '/workspace/members'), [api]);
  const known = members.state === 'ready' ? members.value : [];
  return (createdBy) => (members.state === 'loading' ? '…' : recorderText(createdBy, known));
}
