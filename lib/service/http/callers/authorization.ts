/** The token of an Authorization header. `Bearer` is case-sensitive; the token may be empty. */
export type Authorization = { readonly scheme: 'malformed' } | { readonly scheme: 'bearer'; readonly token: string };

export function parseAuthorization(header: string | undefined): Authorization {
  const match = /^Bearer(?:\s+(.*))?$/s.exec(header ?? '');
  return match ? { scheme: 'bearer', token: (match[1] ?? '').trim() } : { scheme: 'malformed' };
}
