import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { endOfDomain, mailboxOf } from '#lib/service/ground/addresses/email.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// Lists partners by the mailbox or domain of their e-mail address. A customer with the same mailbox or company domain
// as a partner may be this partner, or a colleague. A lead's request can read this list before it knows the customer's
// partner. If it finds no entry, it need not read the partner's e-mail address.

/**
 * The domains of these providers say nothing about who owns an address, so only equal mailboxes matter. Stored keys
 * depend on this list: if a provider is added, partners who were listed before would no longer be found.
 */
export const largeProviders: ReadonlySet<string> = new Set([
  'aol.com',
  'gmail.com',
  'gmx.de',
  'gmx.net',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  'qq.com',
  'web.de',
  'yahoo.com',
  'yandex.ru',
]);

/**
 * The part of an address by which it is compared: the mailbox for a public mail provider, else the domain, which is
 * that of a company.
 */
export function sharedPartOf(email: string): string {
  const mailbox = mailboxOf(email);
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1);
  return largeProviders.has(domain) ? mailbox : endOfDomain(domain);
}

interface AddressedPartner {
  readonly programId: number;
  readonly id: number;
  readonly email: string;
}

const keyOf = ({ programId, id, email }: AddressedPartner) =>
  keys.partnerAt(programId, sha256(sharedPartOf(email)), id);

/**
 * The write that lists a partner by its address. It may be repeated. It must be made before the address is stored, or
 * in the same transaction.
 */
export const partnerAtWrite = (partner: AddressedPartner): Write => ({
  name: 'partnerAt',
  key: keyOf(partner),
  put: {},
});

/**
 * The write that removes a partner's former address from the list. If it is not made, leads with such an address only
 * take longer.
 */
export const formerPartnerAtWrite = (partner: AddressedPartner): Write => ({
  name: 'formerPartnerAt',
  key: keyOf(partner),
  remove: true,
});

/**
 * Whether any partner of the program may have an address with the same mailbox or company domain as this one. If a
 * program does not list its partners by address, the answer may be wrong.
 */
export async function hasPartnerAt(table: Table, programId: number, email: string): Promise<boolean> {
  const { pk } = keyOf({ programId, id: 0, email });
  const found = await table.range(pk, '0', '~', 1);
  return found.length > 0;
}
