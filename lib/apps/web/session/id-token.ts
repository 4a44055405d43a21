interface Claims {
  readonly email: string;
  readonly nonce?: string;
}

/**
 * The claims of an `id_token`. They are not verified here: the token comes directly from the issuer, and the service
 * verifies it.
 */
export function claimsIn(idToken: string): Claims {
  const payload = idToken.split('.')[1] ?? '';
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.codePointAt(0)!);
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
