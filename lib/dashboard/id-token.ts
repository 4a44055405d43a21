/** Who an `id_token` is about. The service verifies it; this is for showing only. */
export function emailIn(idToken: string): string {
  const payload = idToken.split('.')[1] ?? '';
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.codePointAt(0)!);
  return (JSON.parse(new TextDecoder().decode(bytes)) as { readonly email: string }).email;
}
