/** The credentials of callers. */
export const securitySchemes = {
  programKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A program key, `aff_…`: good for one program. An owner generates it in the dashboard.',
  },
  loginToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'What a person gets at sign-in, `lgn_…`: valid for 90 days.',
  },
  agentKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Of an approved tool, `agt_…`, with scopes. Only the operator issues one.',
  },
  stripeSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'The signature of Stripe over the raw body, not older than five minutes.',
  },
  connectCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'service_connect',
    description: 'Set when the connection began: the same browser must come back.',
  },
} as const;

export type SecurityScheme = keyof typeof securitySchemes;
