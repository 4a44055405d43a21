import { parse } from 'tldts';

/** Whether a pattern covers all names below a public suffix such as `com` or `github.io`, where anyone may register. */
export function coversPublicSuffix(pattern: string): boolean {
  if (!pattern.includes('://*.')) return false;
  const { hostname, publicSuffix, isIcann, isPrivate } = parse(pattern.replace('*.', ''), {
    allowPrivateDomains: true,
  });
  // The parser also returns unlisted names, such as `localhost`, as public suffixes. Only listed ones count.
  return Boolean(isIcann || isPrivate) && publicSuffix === hostname;
}
