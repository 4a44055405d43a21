/** The source of an unconfirmed value; undefined for a value that was sent with the program's key. */
export type UnconfirmedSource = 'browser';

/** The program setting that decides whether values sent by browsers count. */
export interface TrustsBrowsers {
  readonly leadAuth: 'server_required' | 'browser_allowed';
}

/** The setting for leads sent by servers: in every program, their values replace values sent by a browser. */
export const TRUST_SERVERS_ONLY: TrustsBrowsers = { leadAuth: 'server_required' };

/**
 * Whether a customer's key or e-mail address counts. A value from a browser counts only if the program accepts browsers
 * now, regardless of the setting at the time of storing.
 */
export const counts = (claimedBy: UnconfirmedSource | undefined, { leadAuth }: TrustsBrowsers): boolean =>
  claimedBy === undefined || leadAuth === 'browser_allowed';
