import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { PORTAL_ADDRESS } from '#lib/apps/web/static/entry-paths.ts';
import { App } from '#lib/apps/dashboard/app.tsx';
import { askBeforeLeaving } from '#lib/apps/web/forms/unsaved.ts';

/** Matches addresses of the dashboard. For the portal's addresses, the browser loads the portal's own page. */
const OWN_ADDRESS = new RegExp(`^(?!${PORTAL_ADDRESS.source.slice(1)})`);

askBeforeLeaving();
render(
  <LocationProvider scope={OWN_ADDRESS}>
    <App />
  </LocationProvider>,
  document.querySelector('#app')!,
);
