import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { App } from '#lib/apps/dashboard/app.tsx';

render(
  <LocationProvider>
    <App />
  </LocationProvider>,
  document.querySelector('#app')!,
);
