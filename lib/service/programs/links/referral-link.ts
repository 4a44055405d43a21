import { hostOf, originIsAllowed } from '#lib/service/ground/addresses/origin.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { affParameterMissing, affiliateUrlInvalid, affiliateUrlMissing } from '#lib/service/ground/values/refusals.ts';

export const linkStatuses = ['active', 'inactive'] as const;

export interface ReferralLink {
  readonly shortLink: string;
  /** The partner of the link; absent once the operator has unlinked the partner. */
  readonly partnerId?: number;
  readonly programId?: number;
  readonly status: (typeof linkStatuses)[number];
  /** Whether the partner is removed from the program. This copy of the partner's status saves a read for each click. */
  readonly partnerRemoved?: boolean;
  /** Set if the partner created the link. Absent if the brand created it. */
  readonly madeByPartner?: true;
  /** Set if the partner switched the link off and may switch it on again. Absent if the brand switched it off. */
  readonly switchedOffByPartner?: true;
  readonly destinationUrl: string;
  readonly createdAt: string;
}

/** Prefix of links of verification chains; visitors cannot use them. */
const TEST_LINK_PREFIX = 'afftest';
export const isTestLink = (shortLink: string): boolean => shortLink.startsWith(TEST_LINK_PREFIX);
export const testLinkOf = (programId: number): string => `${TEST_LINK_PREFIX}${programId}`;

export const SHORT_LINK = /^[\w-]{3,64}$/;
export const isShortLink = (text: string): boolean => SHORT_LINK.test(text);

const LONGEST_URL_CHARACTERS = 2_048;

/** A valid destination URL in canonical form; undefined for anything else. */
export function destinationOf(text: string): string | undefined {
  const url = text.length <= LONGEST_URL_CHARACTERS && URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

/** Whether a destination is on the program's own site: its domain, or one of its allowed origins. */
export function isOwnSite(
  destinationUrl: string,
  { domain, allowedOrigins }: Pick<Program, 'domain' | 'allowedOrigins'>,
): boolean {
  const { host, origin } = new URL(destinationUrl);
  return host === hostOf(domain) || originIsAllowed(origin, allowedOrigins);
}

export const linkIsOpen = (link: ReferralLink): boolean => link.status === 'active' && !link.partnerRemoved;

/**
 * The first `aff` parameter of the URL on which a visitor arrived.
 * @throws Refusal for the first of the checks below that fails
 */
export function affValueOf(affiliateUrl: unknown): string {
  if (affiliateUrl === undefined) throw affiliateUrlMissing();
  if (typeof affiliateUrl !== 'string') throw affiliateUrlInvalid();
  if (affiliateUrl.trim() === '') throw affiliateUrlMissing();
  const url = URL.canParse(affiliateUrl) ? new URL(affiliateUrl) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw affiliateUrlInvalid();
  const aff = url.searchParams.get('aff');
  if (!aff) throw affParameterMissing();
  return aff;
}
