import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import providers from 'email-providers/all.json' with { type: 'json' };
import { getDomain } from 'tldts';

/** Public mailbox providers that are missing from the package's list. */
const FURTHER_PROVIDERS = ['duck.com', 'fastmail.com', 'mozmail.com', 'tutanota.com'];

const disposable: ReadonlySet<string> = new Set(disposableEmailBlocklist());
const shared: ReadonlySet<string> = new Set([...providers, ...FURTHER_PROVIDERS]);

/** Whether the domain, or one above it, provides disposable addresses. @param domain in lower case */
export const isDisposableDomain = (domain: string): boolean => isListed(domain, disposable);

/**
 * Whether two mail domains share a registrable domain that is not a public mailbox provider.
 * @param one in lower case
 * @param other in lower case
 */
export function isSameOwnDomain(one: string, other: string): boolean {
  const own = ownDomainOf(one);
  return own !== undefined && own === ownDomainOf(other);
}

/**
 * The domain by which applications to join are counted, to limit those from one source. Undefined for a public mailbox
 * provider, unless its addresses are disposable.
 * @param domain in lower case
 */
export const sourceDomainOf = (domain: string): string | undefined =>
  isListed(domain, shared) && !isDisposableDomain(domain) ? undefined : (registrableOf(domain) ?? domain);

function ownDomainOf(domain: string): string | undefined {
  return isListed(domain, shared) || isDisposableDomain(domain) ? undefined : registrableOf(domain);
}

/**
 * The registrable domain, such as `example.co.uk`. Below a private suffix such as `github.io`, each name counts as a
 * separate one, because it belongs to another person.
 */
const registrableOf = (domain: string): string | undefined =>
  getDomain(domain, { allowPrivateDomains: true, validateHostname: false }) ?? undefined;

const isListed = (domain: string, list: ReadonlySet<string>): boolean =>
  parentsOf(domain).some((each) => list.has(each));

/** A domain and all its parent domains. */
const parentsOf = (domain: string): string[] => {
  const labels = domain.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
};
