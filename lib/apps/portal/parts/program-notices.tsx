import { useLocation } from 'preact-iso';
import { SandboxNotice } from '#lib/apps/web/parts/frame/sandbox-notice.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { useSession } from '#lib/apps/portal/session.ts';

interface ProgramNoticesProps {
  /** If an owner is viewing the pages, the id of the partner. */
  readonly viewAs: string | undefined;
}

/** Notices above a program's pages: an owner is viewing them, the partner left, or terms must be accepted. */
export function ProgramNotices({ viewAs }: ProgramNoticesProps) {
  const { program, mustAccept, addressOf } = useProgram();
  const { path } = useLocation();
  return (
    <>
      <SandboxNotice sandbox={program.sandbox} />
      {viewAs !== undefined && (
        <p class="notice warning" role="status">
          You look at {program.name} as this partner sees it. Nothing can be changed here.{' '}
          <a href={`/programs/${program.id}/partners/${encodeURIComponent(viewAs)}`}>
            Back to the partner in your dashboard
          </a>
        </p>
      )}
      {program.status === 'removed' && <Parted isOwnersView={viewAs !== undefined} />}
      {mustAccept && viewAs === undefined && (
        <div class="notice warning next-step">
          <p>
            <strong>{program.name} has new terms.</strong> Until you accept them you can look at everything and change
            nothing. Your links go on counting.
          </p>
          {path !== addressOf('terms') && <a href={addressOf('terms')}>Read the terms</a>}
        </div>
      )}
    </>
  );
}

/**
 * Explains that the partnership has ended. The time is known only if the partner left; a removal by the brand is stored
 * without a time. The session of an owner who views the page does not know the partner.
 */
function Parted({ isOwnersView }: { readonly isOwnersView: boolean }) {
  const { program } = useProgram();
  const { me } = useSession();
  const found = isOwnersView ? undefined : me.programs.find(({ program_id: id }) => id === program.id);
  return (
    <p class="notice" role="status">
      {!found && `You are no longer a partner of ${program.name}.`}
      {found?.left_at && (
        <>
          You left {program.name} on <Day at={found.left_at} />.
        </>
      )}
      {found?.left_at === null && `${program.name} has ended your partnership. Ask the brand if you want to know why.`}{' '}
      Your links and codes count nothing new; what you earned stays here to read.
    </p>
  );
}
