import { parse } from 'tldts';

/** Whether it allows all names below a public suffix such as `com` or `github.io`, which anyone can register. */
export function coversPublicSuffix(pattern: string): boolean {
  if (!pattern.includes('://*.')) return false;
  const { hostname, publicSuffix, isIcann, isPrivate } = parse(pattern.replace('*.', ''), {
    allowPrivateDomains: true,
  });
  // The parser treats names that are not on the list, such as `localhost`, as suffixes.
  return Boolean(isIcann || isPrivate) && publicSuffix === hostname;
}
