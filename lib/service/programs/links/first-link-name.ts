import { withoutDomain } from '#lib/service/ground/addresses/email.ts';
import { plainLetters } from '#lib/service/ground/values/name.ts';
import { isShortLink, isTestLink } from '#lib/service/programs/links/referral-link.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';

const LONGEST = 64;

/**
 * The name that a partner's first link should have: the invitation's, or one made from the partner's name. If the name is
 * an e-mail address, its domain is left out, because everyone sees the link.
 */
export function firstLinkName({ id, name, wishedLink }: Pick<Partner, 'id' | 'name' | 'wishedLink'>): string {
  const own = plainLetters(withoutDomain(name))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
  return [wishedLink, own].find((one) => one !== undefined && isShortLink(one) && !isTestLink(one)) ?? `partner-${id}`;
}

/** The names to try for a link, in order. */
export const namesLike = (name: string): string[] => [
  name,
  ...[2, 3, 4, 5, 6, 7, 8, 9].map((end) => withEnd(name, String(end))),
];

/** Appends a suffix to a name, which is shortened if the result would be too long. */
export const withEnd = (name: string, end: string): string => `${name.slice(0, LONGEST - end.length - 1)}-${end}`;
