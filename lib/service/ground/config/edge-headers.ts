/** Set by the edge on every request; what a client sends under these names never arrives through it. */
export const edgeHeaders = {
  address: 'referral-viewer-address',
  place: 'referral-viewer-place',
  secret: 'referral-edge-secret',
} as const;
