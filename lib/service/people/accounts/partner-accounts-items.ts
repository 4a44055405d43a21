import type { Account } from '#lib/service/ground/addresses/account.ts';
import { openAccountCheck } from '#lib/service/people/accounts/accounts-items.ts';
import { keys, programIdOf } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// Links accounts to partners. A partner without an account is listed under the partner's address. When a person signs
// in with that address, the partner is listed under the person's account instead. The person is then not a partner yet,
// but sees an invitation. Until the person accepts it, the brand sees nothing of the account. If the brand corrects the
// address before that, the link to the account is removed; any other change of the partner's or the account's address
// leaves the link as it is.

/** A partner of a program, listed under its e-mail address until a person signs in with this address. */
interface AddressedPartner {
  readonly programId: number;
  readonly id: number;
  readonly email: string;
}

/** The reference to a partner in the list of an address or an account. */
export interface PartnerPointer {
  readonly programId: number;
  readonly partnerId: number;
}

interface StoredPointer {
  readonly pk: string;
  readonly sk: string;
  readonly partnerId: number;
}

/** The partner of an account in a program; undefined if none. */
export const findPartnerOfAccount = (
  table: Table,
  accountId: number,
  programId: number,
): Promise<{ readonly partnerId: number } | undefined> => table.get(keys.accountPartner(accountId, programId));

/** The partners of an account, sorted by program id as text. Without `most`, all of them. */
export async function partnersOfAccount(table: Table, accountId: number, most?: number): Promise<PartnerPointer[]> {
  const prefix = 'PARTNER#';
  const found = await table.query<StoredPointer>(keys.account(accountId).pk, { prefix, most });
  return found.map(({ sk, partnerId }) => ({ programId: Number(sk.slice(prefix.length)), partnerId }));
}

/** The partners without an account at this address. Any workspace can create some, so the number read is limited. */
export async function partnersOfAddress(table: Table, email: string, most: number): Promise<PartnerPointer[]> {
  const found = await table.query<StoredPointer>(keys.partnerOfEmail(email, 0).pk, { most });
  return found.map(({ sk, partnerId }) => ({ programId: programIdOf({ pk: sk, sk }), partnerId }));
}

/** Whether a workspace lists a partner under this address. */
export const isPartnersAddress = async (table: Table, workspaceId: number, email: string): Promise<boolean> =>
  (await table.get(keys.partnerEmail(workspaceId, email))) !== undefined;

/** Lists a partner without an account under its address. */
export const addressWrite = ({ email, programId, id }: AddressedPartner): Write => ({
  name: 'address',
  key: keys.partnerOfEmail(email, programId),
  put: { partnerId: id },
});

export const forgottenAddressWrite = ({ email, programId }: Pick<AddressedPartner, 'email' | 'programId'>): Write => ({
  name: 'formerAddress',
  key: keys.partnerOfEmail(email, programId),
  remove: true,
});

/** Removes the item by which an address leads to this partner. Fails if it leads to another partner by now. */
export const staleAddressWrite = ({ id, ...address }: AddressedPartner): Write => ({
  ...forgottenAddressWrite(address),
  condition: { equals: { partnerId: id } },
});

/** Lists a partner under its account. */
export const accountPartnerWrite = (
  accountId: number,
  { programId, id }: Pick<AddressedPartner, 'programId' | 'id'>,
): Write => ({
  name: 'account',
  key: keys.accountPartner(accountId, programId),
  put: { partnerId: id },
  // Fails if the account was linked to another partner of the program first. This request then decides again.
  condition: { isNew: true },
});

export const forgottenAccountWrite = (
  accountId: number,
  { programId }: Pick<AddressedPartner, 'programId'>,
): Write => ({
  name: 'formerAccount',
  key: keys.accountPartner(accountId, programId),
  remove: true,
});

/** Records that an owner viewed a program as this partner. Fails if this was already recorded in the same hour. */
export const viewedAsWrite = (accountId: number, { programId, partnerId }: PartnerPointer, hour: string): Write => ({
  name: 'viewedAs',
  key: keys.viewedAs(accountId, programId, partnerId),
  change: { set: { hour } },
  condition: { below: { hour } },
});

/** Writes that link an account to the partner with its address. */
export const matchWrites = ({ id: accountId }: Account, { programId, id, email }: AddressedPartner): Write[] => [
  {
    name: 'partner',
    key: keys.partner(programId, id),
    change: { set: { accountId } },
    // Fails if the brand has changed the address, or if another account was linked in the meantime. The account is then
    // not linked.
    condition: { equals: { email, accountId: undefined } },
  },
  accountPartnerWrite(accountId, { programId, id }),
  forgottenAddressWrite({ email, programId }),
  openAccountCheck(accountId),
];

/** Writes that unlink the account from a partner that has not accepted yet, so that another account can be linked. */
export const unmatchedWrites = (accountId: number, partner: AddressedPartner): Write[] => [
  {
    name: 'partner',
    key: keys.partner(partner.programId, partner.id),
    change: { set: { accountId: undefined } },
    // Fails if the brand has changed the address in the meantime. That change has already unlinked the account.
    condition: { equals: { email: partner.email, accountId, joinedAt: undefined } },
  },
  forgottenAccountWrite(accountId, partner),
  addressWrite(partner),
];
