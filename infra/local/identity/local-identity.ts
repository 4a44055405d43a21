import type { Identity } from '#lib/service/ground/addresses/account.ts';

/** Path of a local run's issuer below the service's address, and its audience. */
export const LOCAL_ISSUER_PATH = '/local/oidc';
export const LOCAL_AUDIENCE = 'service-dashboard';

/** The person that the local issuer makes of an address. @param issuer as configured */
export const localIdentity = (issuer: string, email: string, name?: string): Identity => ({
  issuer,
  subject: email,
  email,
  name,
});
