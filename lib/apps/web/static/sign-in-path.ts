/** Where the issuer returns to. */
export const SIGNED_IN_PATH = '/signed-in';
