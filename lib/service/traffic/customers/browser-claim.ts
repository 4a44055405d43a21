/** The source of an unconfirmed value. Undefined where it was sent with the program's key. */
export type Claim = 'browser';

/** The program setting that decides whether values sent by browsers count. */
export interface TrustsBrowsers {
  readonly leadAuth: 'server_required' | 'browser_allowed';
}

/**
 * Settings for leads sent by servers: these replace values sent by a browser in every program, even if it accepts
 * browsers.
 */
export const TRUST_SERVERS_ONLY: TrustsBrowsers = { leadAuth: 'server_required' };

/**
 * Whether a customer's key or e-mail address counts. A value from a browser counts only if the program accepts browsers
 * now; the setting at the time of storing does not matter.
 */
export const counts = (claimedBy: Claim | undefined, { leadAuth }: TrustsBrowsers): boolean =>
  claimedBy === undefined || leadAuth === 'browser_allowed';
