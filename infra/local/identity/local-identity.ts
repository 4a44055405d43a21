import type { Identity } from '#lib/service/ground/addresses/account.ts';

/** Path of the local issuer below the service's URL. It is also the audience of the issuer's tokens. */
export const LOCAL_ISSUER_PATH = '/local/oidc';
export const LOCAL_AUDIENCE = 'service-dashboard';

/** The identity that the local issuer gives to an e-mail address. @param issuer URL of the local issuer */
export const localIdentity = (issuer: string, email: string, name?: string): Identity => ({
  issuer,
  subject: email,
  email,
  name,
});
