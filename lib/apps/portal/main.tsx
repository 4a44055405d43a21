import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { PORTAL_ADDRESS } from '#lib/apps/web/static/entry-paths.ts';
import { App } from '#lib/apps/portal/app.tsx';
import { askBeforeLeaving } from '#lib/apps/web/forms/unsaved.ts';

askBeforeLeaving();
render(
  // Only addresses within this scope are handled by this router. For any other address, the browser loads a new page.
  <LocationProvider scope={PORTAL_ADDRESS}>
    <App />
  </LocationProvider>,
  document.querySelector('#app')!,
);
