import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';

/** Owners look at the pages of a partner, where they can change nothing. */
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
