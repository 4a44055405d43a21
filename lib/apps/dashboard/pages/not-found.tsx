import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';

export const NotFoundPage = () => (
  <Page title="There is no such page" intro="The address may be mistyped, or from an older version.">
    <a class="button" href={pagePaths.home}>
      To the start
    </a>
  </Page>
);
