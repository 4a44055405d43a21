import type * as mailDomains from '#lib/service/ground/addresses/mail-domains.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';

/** The lists of domains of mail, and what they say. */
export type MailDomains = typeof mailDomains;

/**
 * The lists, which are loaded once per process: they are a file beside the bundles, large and seldom needed.
 * @param log absent in an operator's command
 * @returns undefined when they cannot be loaded, which is logged: no rule that needs them fits
 */
export async function loadMailDomains(log: Log | undefined): Promise<MailDomains | undefined> {
  try {
    return await import('#lib/service/ground/addresses/mail-domains.ts');
  } catch (error) {
    log?.error('mail_domains_unread', error);
    return undefined;
  }
}
