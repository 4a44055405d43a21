import type { SiteFile } from '#infra/build/site-file.ts';

/** The file expires after a year. Each deployment writes it again. */
const VALID_MONTHS = 12;

/**
 * The security.txt file (RFC 9116) with the contact for vulnerability reports.
 * @param contact an e-mail or https address
 * @param builtOn the date of the build; only its month is used, so that builds within a month are identical
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
