import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';

/** The content that is shown instead of an empty chart, with the next step. */
export function NoFigures() {
  const { program, addressOf } = useProgram();
  return (
    <Empty title="No clicks or sales in this period">
      {program.status === 'active' && (
        <p>
          Share <a href={addressOf('links')}>one of your links</a> where you recommend {program.name}. Clicks, signups
          and sales through it appear here within seconds.
        </p>
      )}
    </Empty>
  );
}
