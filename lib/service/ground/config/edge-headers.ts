/** Headers that CloudFront sets on every request. It overwrites any that the client sends under these names. */
export const edgeHeaders = {
  address: 'referral-viewer-address',
  place: 'referral-viewer-place',
  secret: 'referral-edge-secret',
} as const;
