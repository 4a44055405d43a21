/** Returns the origin of a page's address as a browser sends it; undefined for any other text. */
export function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : undefined;
}

/**
 * Whether the settings of the program allow an origin.
 * @param allowed origins; `scheme://*.host` allows all hosts below `host`
 */
export const originIsAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => {
    const [scheme = '', host = ''] = entry.split('*');
    return entry === origin || (entry.includes('*') && origin.startsWith(scheme) && origin.endsWith(host));
  });
