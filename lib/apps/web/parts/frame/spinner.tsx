/** Shows that something is loading. */
export const Spinner = ({ label = 'Loading' }: { readonly label?: string }) => (
  <p class="spinner" role="status">
    <span class="spinner-ring" aria-hidden="true" />
    {label}…
  </p>
);
