/** Payment providers of brands. */
export const providers = [
  'stripe',
  'polar',
  'lemonsqueezy',
  'paddle',
  'paypal',
  'braintree',
  'chargebee',
  'manual',
  'other',
] as const;

export type Provider = (typeof providers)[number];
