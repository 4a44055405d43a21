import type { Identity } from '#lib/service/ground/addresses/account.ts';

/** Path of the local issuer below the service's URL, and its audience. */
export const LOCAL_ISSUER_PATH = '/local/oidc';
export const LOCAL_AUDIENCE = 'service-dashboard';

/** The identity that the local issuer creates for an address. @param issuer as configured */
export const localIdentity = (issuer: string, email: string, name?: string): Identity => ({
  issuer,
  subject: email,
  email,
  name,
});
