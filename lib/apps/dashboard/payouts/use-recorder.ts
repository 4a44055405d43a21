import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { recorderText } from '#lib/apps/dashboard/payouts/payout-text.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Member } from '#lib/wire/people/people.ts';

/** Returns a function that names who recorded a payout: by the account's id until the members are loaded. */
export function useRecorder(): (createdBy: string) => string {
  const { api } = useSession();
  const members = useLoaded(() => loadAll<Member>(api, '/workspace/members'), [api]);
  const known = members.state === 'ready' ? members.value : [];
  return (createdBy) => (members.state === 'loading' ? '…' : recorderText(createdBy, known));
}
