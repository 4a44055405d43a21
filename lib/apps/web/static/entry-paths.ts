/** Where people come in, whichever pages they were sent to. */
export const entryPaths = {
  dashboard: '/',
  portal: '/partner',
  /** Where the issuer returns to: a page of the dashboard, which leads on. */
  signedIn: '/signed-in',
} as const;

/** Addresses of the partner portal; all others are the dashboard's. */
export const PORTAL_ADDRESS = /^\/(?:partner|join)(?:[/?#]|$)/;
