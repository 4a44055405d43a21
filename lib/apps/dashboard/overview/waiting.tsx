import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import type { Reloadable } from '#lib/apps/web/hooks/use-loaded.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

/** How many decisions wait, such as `25+`; undefined if none. If that cannot be loaded, nothing is shown. */
type Count = Reloadable<string | undefined>;

interface WaitingProps {
  readonly applications: Count;
  readonly held: Count;
}

/** Shows how many decisions an owner must make: about applications, and about commissions that a rule holds. */
export function Waiting({ applications, held }: WaitingProps) {
  const { program } = useProgram();
  return (
    <>
      <Notice
        count={applications}
        texts={['application waits for your decision.', 'applications wait for your decision.']}
        href={`${programPath('partners', program.id)}?status=applied`}
        action="See applications"
      />
      <Notice
        count={held}
        texts={['commission is held for review.', 'commissions are held for review.']}
        href={`${programPath('commissions', program.id)}?status=held`}
        action="Review commissions"
      />
    </>
  );
}

interface NoticeProps {
  readonly count: Count;
  readonly texts: readonly [one: string, several: string];
  readonly href: string;
  readonly action: string;
}

function Notice({ count, texts: [one, several], href, action }: NoticeProps) {
  if (count.state !== 'ready' || count.value === undefined) return null;
  return (
    <div class="notice next-step">
      <p>
        <strong>
          {count.value} {count.value === '1' ? one : several}
        </strong>
      </p>
      <a class="button" href={href}>
        {action}
      </a>
    </div>
  );
}
