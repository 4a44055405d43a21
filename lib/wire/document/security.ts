/** The credentials with which callers identify themselves. */
export const securitySchemes = {
  programKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A program key, `aff_…`, valid for one program. An owner generates it in the dashboard.',
  },
  loginToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A login token, `lgn_…`, which a person gets at sign-in. It is valid for 90 days.',
  },
  agentKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An agent key, `agt_…`, of an approved tool. It has scopes. Only the operator issues agent keys.',
  },
  stripeSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: "Stripe's signature of the raw body, at most five minutes old.",
  },
  connectCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'service_connect',
    description:
      'A cookie that is set when the connection to Stripe is started, so that only the same browser can complete it.',
  },
} as const;

export type SecurityScheme = keyof typeof securitySchemes;
