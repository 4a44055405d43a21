import { Page } from '#lib/apps/web/parts/frame/page.tsx';

/** What is shown if a page's script cannot be loaded, because the browser is offline or a new version was deployed. */
export const PageNotLoaded = () => (
  <Page title="This page could not be loaded">
    <div class="failure" role="alert">
      <p>The connection may be interrupted, or there is a newer version of this page.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  </Page>
);
