import { parse } from 'tldts';

/**
 * Whether a pattern matches all names below a public suffix such as `com` or `github.io`, where anyone can register.
 */
export function coversPublicSuffix(pattern: string): boolean {
  if (!pattern.includes('://*.')) return false;
  const { hostname, publicSuffix, isIcann, isPrivate } = parse(pattern.replace('*.', ''), {
    allowPrivateDomains: true,
  });
  // The parser treats unlisted names such as `localhost` as suffixes.
  return Boolean(isIcann || isPrivate) && publicSuffix === hostname;
}
