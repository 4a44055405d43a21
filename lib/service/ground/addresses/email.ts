import { createHmac } from 'node:crypto';
import { isPlainText } from '#lib/service/ground/values/identifier.ts';

const LONGEST_CHARACTERS = 320;

/** What is kept of a customer's address: enough to match it again and to recognise it, not to write to it. */
export interface EmailTrace {
  readonly hash: string;
  readonly masked: string;
  /** Of the address as its mailbox is addressed; absent = it is `hash`. */
  readonly mailboxHash?: string;
}

/** In lower case as far as ASCII goes: other letters, such as the Kelvin sign, would become those of another address. */
export const foldedAddress = (address: string): string =>
  address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A dot at the end of a host means nothing: it is the same host. */
const withoutLastDot = (address: string): string => address.replace(/\.$/, '');

/** The normalized address for comparison; undefined when it cannot be an address. */
export function emailOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_CHARACTERS || !value.includes('@')) return undefined;
  return withoutLastDot(foldedAddress(value.trim())).toWellFormed();
}

/** ASCII before the `@`. */
const ADDRESS = /^(?:(?![\s@,;<>()[\]"\\])[\x21-\x7e])+@[^\s@,;<>()[\]"\\]+\.[^\s@,;<>()[\]"\\]+$/;

/** A contact address: trimmed, its ASCII letters lower-cased, without a dot at its end; undefined when it is obviously not one. */
export function addressOf(value: string): string | undefined {
  const address = withoutLastDot(foldedAddress(value.trim()));
  return address.length <= LONGEST_CHARACTERS && ADDRESS.test(address) && isPlainText(address) ? address : undefined;
}

/** A name that is an address, without the part behind the `@`; any other name as it is. */
export const withoutDomain = (name: string): string =>
  addressOf(name) === undefined ? name : name.slice(0, name.lastIndexOf('@'));

/** @param salt the program's own random salt, so that hashes of two programs cannot be joined */
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

/** One spelling of a domain: as name servers have it, without a dot at its end. */
function domainName(domain: string): string {
  const name = withoutLastDot(domain);
  const address = `http://${name}`;
  return URL.canParse(address) ? new URL(address).hostname : foldedAddress(name);
}

/**
 * One spelling of all addresses of a mailbox: without `+tag`, and at Gmail without dots and under one domain; the domain
 * as name servers have it.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = foldedAddress(email.slice(0, at)).split('+', 1);
  const domain = domainName(email.slice(at + 1));
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/** Whether an address is that of the same mailbox. @param salt of the trace */
export const isOfMailbox = ({ hash, mailboxHash = hash }: EmailTrace, email: string, salt: string): boolean =>
  mailboxHash === hashOf(mailboxOf(email), salt);

/** The domain of an address, in lower case. @param masked the address, or its trace's mask */
export const mailDomainOf = ({ masked }: Pick<EmailTrace, 'masked'>): string =>
  domainName(masked.slice(masked.lastIndexOf('@') + 1));
