/** Paths that the dashboard and the portal share. */
export const entryPaths = {
  dashboard: '/',
  portal: '/partner',
  /** The path to which the issuer redirects. It is a page of the dashboard, which opens the wanted page. */
  signedIn: '/signed-in',
} as const;

/** Matches addresses of the partner portal. All other addresses belong to the dashboard. */
export const PORTAL_ADDRESS = /^\/(?:partner|join)(?:[/?#]|$)/;
