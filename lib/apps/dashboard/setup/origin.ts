/** The origin of a page's address as a browser sends it; undefined for anything else. */
export function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : undefined;
}

/**
 * Whether the program's settings allow an origin.
 * @param allowed origins, and `scheme://*.host` for all hosts below one
 */
export const originIsAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => {
    const [scheme = '', host = ''] = entry.split('*');
    return entry === origin || (entry.includes('*') && origin.startsWith(scheme) && origin.endsWith(host));
  });
