import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import providers from 'email-providers/all.json' with { type: 'json' };
import { getDomain } from 'tldts';

/** Providers of mailboxes for everyone that the package does not know. */
const FURTHER_PROVIDERS = ['duck.com', 'fastmail.com', 'mozmail.com', 'tutanota.com'];

const disposable: ReadonlySet<string> = new Set(disposableEmailBlocklist());
const shared: ReadonlySet<string> = new Set([...providers, ...FURTHER_PROVIDERS]);

/** Whether it, or a domain above it, gives addresses that are thrown away. @param domain in lower case */
export const isDisposableDomain = (domain: string): boolean => isListed(domain, disposable);

/**
 * Whether two domains of addresses belong to the same registrable domain, which is not that of a provider of mailboxes
 * for everyone.
 * @param one in lower case
 * @param other in lower case
 */
export function isSameOwnDomain(one: string, other: string): boolean {
  const own = ownDomainOf(one);
  return own !== undefined && own === ownDomainOf(other);
}

/**
 * By which domain the people of one source are counted: undefined for a provider of mailboxes for everyone, unless its
 * addresses are thrown away.
 * @param domain in lower case
 */
export const sourceDomainOf = (domain: string): string | undefined =>
  isListed(domain, shared) && !isDisposableDomain(domain) ? undefined : (registrableOf(domain) ?? domain);

function ownDomainOf(domain: string): string | undefined {
  return isListed(domain, shared) || isDisposableDomain(domain) ? undefined : registrableOf(domain);
}

/** A suffix such as `github.io` has names of many people below it. */
const registrableOf = (domain: string): string | undefined =>
  getDomain(domain, { allowPrivateDomains: true, validateHostname: false }) ?? undefined;

const isListed = (domain: string, list: ReadonlySet<string>): boolean =>
  parentsOf(domain).some((each) => list.has(each));

/** A domain and those above it. */
const parentsOf = (domain: string): string[] => {
  const labels = domain.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
};
