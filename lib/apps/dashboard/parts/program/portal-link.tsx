import { ArrowLeftRight } from 'lucide';
import { apiAt } from '#lib/apps/web/api/api.ts';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';
import type { PortalMe } from '#lib/wire/partners/portal-program.ts';

const loadPrograms = async (): Promise<PortalMe['programs']> => {
  const api = apiAt(
    '/api/partner/v1',
    () => loginToken.read() ?? '',
    () => {},
  );
  return (await api.get<PortalMe>('/me')).programs;
};

/** A link to the portal for people who are partners. If that cannot be found out, there is no link. */
export function PortalLink({ isButton = false }: { readonly isButton?: boolean }) {
  const programs = useLoaded(loadPrograms, []);
  if (programs.state !== 'ready' || programs.value.length === 0) return null;
  return (
    <a href={entryPaths.portal} class={isButton ? 'button wide' : undefined}>
      <Icon of={ArrowLeftRight} />
      Your pages as a partner
    </a>
  );
}
