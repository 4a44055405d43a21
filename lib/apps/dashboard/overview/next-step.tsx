import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { GateName, Readiness } from '#lib/wire/reports/readiness.ts';

const texts: Readonly<Record<GateName, string>> = {
  profile: 'The program needs a name and a site.',
  economics: 'The program needs a commission.',
  tracking: 'No event has come in yet. Install the tracker and send a first signup and sale.',
  live: 'Events come in. Now verify that a sale finds its partner.',
  payout: 'Connect your card processor, and payments arrive by themselves.',
};

interface NextStepProps {
  readonly blocker: Readiness['blocker'];
}

/** Shows the next step of the program's setup. */
export function NextStep({ blocker }: NextStepProps) {
  const { program } = useProgram();
  if (blocker === null) return null;
  return (
    <div class="notice next-step">
      <p>
        <strong>The set-up is not finished.</strong> {texts[blocker]}
      </p>
      <a class="button primary" href={programPath('setup', program.id)}>
        Go on with the set-up
      </a>
    </div>
  );
}
