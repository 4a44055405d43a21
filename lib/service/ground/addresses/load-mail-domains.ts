import type * as mailDomains from '#lib/service/ground/addresses/mail-domains.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';

/** Lists of mail domains and the functions that look them up. */
export type MailDomains = typeof mailDomains;

/**
 * Loads the lists once per process. They are in a separate file because they are large and seldom needed.
 * @param log undefined in an operator's command
 * @returns undefined if loading failed, which is logged; rules that need the lists then do not apply
 */
export async function loadMailDomains(log: Log | undefined): Promise<MailDomains | undefined> {
  try {
    return await import('#lib/service/ground/addresses/mail-domains.ts');
  } catch (error) {
    log?.error('mail_domains_unread', error);
    return undefined;
  }
}
