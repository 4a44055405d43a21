import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { PORTAL_ADDRESS } from '#lib/apps/web/static/entry-paths.ts';
import { App } from '#lib/apps/portal/app.tsx';
import { askBeforeLeaving } from '#lib/apps/web/unsaved.ts';

askBeforeLeaving();
render(
  // All other addresses are left to the browser.
  <LocationProvider scope={PORTAL_ADDRESS}>
    <App />
  </LocationProvider>,
  document.querySelector('#app')!,
);
