import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

/** People who ask to become partners, and wait for an answer. */
export function Applications({ count }: { readonly count: string | undefined }) {
  const { program } = useProgram();
  if (count === undefined) return null;
  return (
    <div class="notice next-step">
      <p>
        <strong>{count === '1' ? '1 application waits' : `${count} applications wait`} for your decision.</strong>
      </p>
      <a class="button" href={`${programPath('partners', program.id)}?status=applied`}>
        See applications
      </a>
    </div>
  );
}
