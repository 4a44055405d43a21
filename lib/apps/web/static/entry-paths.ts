/** Entry points that are the same for dashboard and portal. */
export const entryPaths = {
  dashboard: '/',
  portal: '/partner',
  /** The issuer's redirect target: a page of the dashboard, which redirects further. */
  signedIn: '/signed-in',
} as const;

/** Addresses of the partner portal; all others belong to the dashboard. */
export const PORTAL_ADDRESS = /^\/(?:partner|join)(?:[/?#]|$)/;
