import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';

export const NotFoundPage = () => (
  <Page title="There is no such page" intro="The address may be mistyped, or from an older version.">
    <a class="button" href={portalPaths.home}>
      To your programs
    </a>
  </Page>
);
