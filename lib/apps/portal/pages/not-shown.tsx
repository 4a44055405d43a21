import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';

/** Replaces the pages of the account if an owner is viewing a partner's pages. */
export const NotShownPage = () => (
  <Page title="This is the partner's own">
    <div class="card stack">
      <p>
        The list of programs, the payout details and the settings are the partner's own. Nobody else sees these pages.
      </p>
      <p>
        <a href={entryPaths.dashboard}>Back to your dashboard</a>
      </p>
    </div>
  </Page>
);
