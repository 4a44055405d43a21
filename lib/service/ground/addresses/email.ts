import { createHmac } from 'node:crypto';
import { isPlainText } from '#lib/service/ground/values/identifier.ts';

const LONGEST_CHARACTERS = 320;

/** The stored part of a customer's e-mail address: enough to recognise the address, not to send mail to it. */
export interface EmailTrace {
  readonly hash: string;
  readonly masked: string;
  /**
   * Hash of the normalized mailbox (see `mailboxOf`). Undefined if the address is already in normalized form, so both
   * hashes are equal.
   */
  readonly mailboxHash?: string;
}

/**
 * Lower-cases ASCII letters only. Lower-casing other letters, such as the Kelvin sign, could turn an address into
 * another person's.
 */
export const foldedAddress = (address: string): string =>
  address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Removes a trailing dot, which does not change the host that a name refers to. */
const withoutLastDot = (address: string): string => address.replace(/\.$/, '');

/** The normalized address for comparison; undefined when it cannot be an address. */
export function emailOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_CHARACTERS || !value.includes('@')) return undefined;
  return withoutLastDot(foldedAddress(value.trim())).toWellFormed();
}

/**
 * An e-mail address whose part before the `@` is ASCII. The domain has no character that ends or encodes a host name in
 * a URL: the mail would go to another address.
 */
const ADDRESS = /^(?:(?![\s@,;<>()[\]"\\])[\x21-\x7e])+@[^\s@,;<>()[\]"\\/?#:%]+\.[^\s@,;<>()[\]"\\/?#:%]+$/;

/** A contact address: trimmed, ASCII letters in lower case, no trailing dot. Undefined if it is clearly no address. */
export function addressOf(value: string): string | undefined {
  const address = withoutLastDot(foldedAddress(value.trim()));
  return address.length <= LONGEST_CHARACTERS && ADDRESS.test(address) && isPlainText(address) ? address : undefined;
}

/** Cuts the `@` and domain off a name that is an e-mail address; returns any other name unchanged. */
export const withoutDomain = (name: string): string =>
  addressOf(name) === undefined ? name : name.slice(0, name.lastIndexOf('@'));

/**
 * The part of an e-mail address that is stored.
 * @param salt the program's own random salt, so that hashes of two programs cannot be compared
 */
export function traceEmail(email: string, salt: string): EmailTrace {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  const mailbox = mailboxOf(email);
  return {
    hash: hashOf(email, salt),
    masked: `${first}***${email.slice(at)}`,
    ...(mailbox !== email && { mailboxHash: hashOf(mailbox, salt) }),
  };
}

const hashOf = (email: string, salt: string): string => createHmac('sha256', salt).update(email).digest('hex');

/** A domain in one canonical spelling: lower case, Punycode, without a trailing dot. */
function domainName(domain: string): string {
  const name = withoutLastDot(domain);
  const address = `http://${name}`;
  return URL.canParse(address) ? new URL(address).hostname : foldedAddress(name);
}

/**
 * One spelling for all addresses that lead to the same mailbox: without `+tag`, and for Gmail without dots and with a
 * single domain. The domain is in Punycode.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = foldedAddress(email.slice(0, at)).split('+', 1);
  const domain = domainName(email.slice(at + 1));
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/**
 * Whether an address belongs to the same mailbox as a stored trace.
 * @param salt the salt with which the trace was made
 */
export const isOfMailbox = ({ hash, mailboxHash = hash }: EmailTrace, email: string, salt: string): boolean =>
  mailboxHash === hashOf(mailboxOf(email), salt);

/** The last two labels of a domain. If they differ, two domains cannot have the same owner. */
export const endOfDomain = (domain: string): string => domain.split('.').slice(-2).join('.');

/** The domain of an address, in lower case. @param masked the address, or its masked form, which shows the domain */
export const mailDomainOf = ({ masked }: Pick<EmailTrace, 'masked'>): string =>
  domainName(masked.slice(masked.lastIndexOf('@') + 1));
