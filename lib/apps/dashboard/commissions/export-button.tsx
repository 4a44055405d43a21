import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useAction } from '#lib/apps/dashboard/hooks/use-action.ts';
import { Failure } from '#lib/apps/dashboard/parts/failure.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';

/** Saves all commissions that match as a file. A plain link could not carry the token. */
export function ExportButton({ status }: { readonly status: string }) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const save = useAction(async () => {
    const url = URL.createObjectURL(await api.download(`${path}/commissions.csv`, { status }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `commissions-${program.id}.csv`;
    link.click();
    URL.revokeObjectURL(url);
  });
  return (
    <>
      <button type="button" class="button" aria-disabled={save.isPending} onClick={save.run}>
        {save.isPending ? 'Exporting…' : 'Export CSV'}
      </button>
      {save.error && <Failure error={save.error} />}
    </>
  );
}
