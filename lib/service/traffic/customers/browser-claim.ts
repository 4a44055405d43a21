/** Who said so, when it was nobody that holds the program's key. */
export type Claim = 'browser';

/** Of a program. */
export interface TrustsBrowsers {
  readonly leadAuth: 'server_required' | 'browser_allowed';
}

/** As a server's lead sees every program: it replaces what only a browser claimed, also where a browser is believed. */
export const BY_SERVERS_WORD: TrustsBrowsers = { leadAuth: 'server_required' };

/**
 * Whether a customer's key or address is worth anything. What only a browser named counts as long as the program takes a
 * browser's word, whatever it did when that was stored.
 */
export const counts = (claimedBy: Claim | undefined, { leadAuth }: TrustsBrowsers): boolean =>
  claimedBy === undefined || leadAuth === 'browser_allowed';
