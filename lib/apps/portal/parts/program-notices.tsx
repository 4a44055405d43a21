import { useProgram } from '#lib/apps/portal/current-program.ts';

interface ProgramNoticesProps {
  /** The partner whose pages an owner looks at. */
  readonly viewAs: string | undefined;
}

/** What holds for all pages of a program: who looks at it, that the partner left, that terms wait. */
export function ProgramNotices({ viewAs }: ProgramNoticesProps) {
  const { program, addressOf } = useProgram();
  const mustAccept = program.status === 'active' && program.terms !== null && program.terms.accepted_at === null;
  return (
    <>
      {viewAs !== undefined && (
        <p class="notice warning" role="status">
          You look at {program.name} as this partner sees it. Nothing can be changed here.{' '}
          <a href={`/programs/${program.id}/partners/${encodeURIComponent(viewAs)}`}>
            Back to the partner in your dashboard
          </a>
        </p>
      )}
      {program.status === 'removed' && (
        <p class="notice" role="status">
          You are no longer a partner of {program.name}. Your links and codes count nothing new; what you earned stays
          here to read.
        </p>
      )}
      {mustAccept && viewAs === undefined && (
        <div class="notice warning next-step">
          <p>
            <strong>{program.name} has new terms.</strong> Until you accept them you can look at everything and change
            nothing. Your links go on counting.
          </p>
          <a href={addressOf('terms')}>Read the terms</a>
        </div>
      )}
    </>
  );
}
