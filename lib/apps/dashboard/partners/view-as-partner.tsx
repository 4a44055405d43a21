import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

/** A button with which an owner views the portal as a partner sees it. The owner cannot change anything there. */
export function ViewAsPartner({ partner: { id, name } }: { readonly partner: Pick<Partner, 'id' | 'name'> }) {
  const { isOwner } = useSession();
  const { program } = useProgram();
  if (!isOwner) return null;
  return (
    <a class="button small named" href={`${entryPaths.portal}/programs/${program.id}?as=${id}`} target="_blank">
      View as partner <bdi>{name}</bdi>
    </a>
  );
}
