import { ArrowLeftRight } from 'lucide';
import { apiAt } from '#lib/apps/web/api/api.ts';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';
import type { Me } from '#lib/wire/people/people.ts';

const loadPlace = (): Promise<Me> =>
  apiAt(
    '/api/dashboard/v1',
    () => loginToken.read() ?? '',
    () => {},
  ).get<Me>('/me');

/** A link to the dashboard for people who have a workspace. If that cannot be found out, there is no link. */
export function DashboardLink() {
  const place = useLoaded(loadPlace, []);
  if (place.state !== 'ready' || place.value.workspace === null) return null;
  return (
    <a href={entryPaths.dashboard}>
      <Icon of={ArrowLeftRight} />
      Dashboard of {place.value.workspace.name}
    </a>
  );
}
