import { pagePaths } from '#lib/dashboard/page-paths.ts';
import { Page } from '#lib/dashboard/parts/page.tsx';

export const NotFoundPage = () => (
  <Page title="There is no such page" intro="The address may be mistyped, or from an older version.">
    <a class="button" href={pagePaths.home}>
      To the start
    </a>
  </Page>
);
