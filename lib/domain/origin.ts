/** A real host has far fewer names; each one above it is a read when an unknown origin is looked up. */
const MOST_LABELS = 20;

/** `scheme://host[:port]` of a URL in its canonical spelling; undefined when it has none, `null` origins included. */
export function originOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.hostname.split('.').length <= MOST_LABELS ? url.origin : undefined;
}

/** Every spelling in an allow-list that covers this origin: itself, and `*.x` for each domain x above its host. */
export function originPatterns(origin: string): string[] {
  const { protocol, hostname, port } = new URL(origin);
  const labels = hostname.split('.');
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const parents = isAddress ? [] : labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
  return [origin, ...parents.map((parent) => `${protocol}//*.${parent}${port ? `:${port}` : ''}`)];
}

export const originIsAllowed = (origin: string, allowed: readonly string[]): boolean =>
  originPatterns(origin).some((pattern) => allowed.includes(pattern));
