import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';

/** Opens a partner's pages for an owner, read-only. */
export function ViewAsPartner({ partnerId }: { readonly partnerId: number }) {
  const { isOwner } = useSession();
  const { program } = useProgram();
  if (!isOwner) return null;
  return (
    <a class="button small" href={`${entryPaths.portal}/programs/${program.id}?as=${partnerId}`} target="_blank">
      View as partner
    </a>
  );
}
