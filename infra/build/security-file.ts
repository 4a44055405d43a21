import type { SiteFile } from '#infra/build/site-file.ts';

/** Each deployment renews the file, so that it is true for a year after the last one. */
const VALID_MONTHS = 12;

/**
 * Where researchers report weaknesses of this installation, by RFC 9116.
 * @param contact an e-mail address, or an https address @param builtOn its month alone counts: builds of one month are equal
 */
export const securityFile = (contact: string, builtOn: Date): SiteFile => ({
  path: '/.well-known/security.txt',
  contentType: 'text/plain; charset=utf-8',
  cacheControl: 'public, max-age=86400',
  text: [
    `Contact: ${contact.startsWith('https://') ? contact : `mailto:${contact}`}`,
    `Expires: ${new Date(Date.UTC(builtOn.getUTCFullYear(), builtOn.getUTCMonth() + VALID_MONTHS)).toISOString()}`,
    'Preferred-Languages: en',
    '',
  ].join('\n'),
});
