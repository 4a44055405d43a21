/** Who sent a value that no server has confirmed; undefined for a value that was sent with the program key. */
export type UnconfirmedSource = 'browser';

/** The program setting that decides whether values sent by browsers are accepted. */
export interface TrustsBrowsers {
  readonly leadAuth: 'server_required' | 'browser_allowed';
}

/** The setting used for leads sent by servers: in every program, a server's values replace those of a browser. */
export const TRUST_SERVERS_ONLY: TrustsBrowsers = { leadAuth: 'server_required' };

/**
 * Whether a customer's key or e-mail address is accepted. A value from a browser is accepted only if the program
 * accepts browsers now, even if it did when the value was stored.
 */
export const counts = (claimedBy: UnconfirmedSource | undefined, { leadAuth }: TrustsBrowsers): boolean =>
  claimedBy === undefined || leadAuth === 'browser_allowed';
