import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';

interface NotFoundProps {
  readonly title: string;
  readonly intro: string;
}

/** A page for an address that leads nowhere, with a way back. */
const NotFound = (page: NotFoundProps) => (
  <Page {...page}>
    <a class="button" href={pagePaths.home}>
      To the start
    </a>
  </Page>
);

export const NotFoundPage = () => (
  <NotFound title="There is no such page" intro="The address may be mistyped, or from an older version." />
);

export const ProgramNotFoundPage = () => (
  <NotFound
    title="There is no such program"
    intro="The address may be mistyped, or the program belongs to another workspace than yours."
  />
);
