import { useProgram } from '#lib/dashboard/current-program.ts';
import { useLoaded } from '#lib/dashboard/hooks/use-loaded.ts';
import { programPath } from '#lib/dashboard/page-paths.ts';
import { useSession } from '#lib/dashboard/session.ts';
import type { GateName, Readiness } from '#lib/dashboard/wire.ts';

const texts: Readonly<Record<GateName, string>> = {
  profile: 'The program needs a name and a site.',
  economics: 'The program needs a commission.',
  tracking: 'No event has come in yet. Install the tracker and send a first signup and sale.',
  live: 'Events come in. Now verify that a sale finds its partner.',
  payout: 'Connect your card processor, and payments arrive by themselves.',
};

/** What stands between this program and a verified integration. A failure to ask says nothing here: the page goes on. */
export function NextStep() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const readiness = useLoaded(() => api.get<Readiness>(`${path}/readiness`), [api, path]);
  if (readiness.state !== 'ready' || readiness.value.blocker === null) return null;
  return (
    <div class="notice next-step">
      <p>
        <strong>The set-up is not finished.</strong> {texts[readiness.value.blocker]}
      </p>
      <a class="button primary" href={programPath('setup', program.id)}>
        Go on with the set-up
      </a>
    </div>
  );
}
