import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { sendSeen } from '#lib/apps/web/forms/send-seen.ts';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';

/** Pauses or resumes the program. */
export function StatusSection({ id }: SectionHeading) {
  const { api, reload: reloadPrograms } = useSession();
  const { program, path, reload } = useProgram();
  const isPaused = program.status === 'paused';
  const toggle = useAction(async () => {
    await sendSeen(api, path, program, { status: isPaused ? 'active' : 'paused' });
    await Promise.all([reload(), reloadPrograms()]);
  });
  return (
    <Section
      id={id}
      title={isPaused ? 'This program is paused' : 'Pause this program'}
      intro="A paused program takes no new partners and links. Clicks, sales, refunds and commissions continue."
    >
      <button type="button" class="button" aria-disabled={toggle.isPending} onClick={toggle.run}>
        {isPaused ? 'Activate the program' : 'Pause the program'}
      </button>
      {toggle.error && <Failure error={toggle.error} />}
    </Section>
  );
}
