import type { Account } from '#lib/service/ground/addresses/account.ts';
import { openAccountCheck } from '#lib/service/people/accounts/accounts-items.ts';
import { keys, programIdOf } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// Which account is which partner. A partner without account is named under its address, where the person finds it who
// signs in with that address; from then on the account names the partner. That makes nobody a partner: the person sees
// an invitation, and the brand sees nothing of the account before they accept. Whoever has not accepted is forgotten when
// the brand corrects the address; other changes of either address do nothing.

/** A partner of a program, with the address under which a person may find it. */
interface AddressedPartner {
  readonly programId: number;
  readonly id: number;
  readonly email: string;
}

/** A partner as an address or an account names it. */
export interface PartnerPointer {
  readonly programId: number;
  readonly partnerId: number;
}

interface StoredPointer {
  readonly pk: string;
  readonly sk: string;
  readonly partnerId: number;
}

/** The partner that an account is in a program, if any. */
export const findPartnerOfAccount = (
  table: Table,
  accountId: number,
  programId: number,
): Promise<{ readonly partnerId: number } | undefined> => table.get(keys.accountPartner(accountId, programId));

/** The partners that an account is, in order of the programs' ids as texts; all of them without `most`. */
export async function partnersOfAccount(table: Table, accountId: number, most?: number): Promise<PartnerPointer[]> {
  const prefix = 'PARTNER#';
  const found = await table.query<StoredPointer>(keys.account(accountId).pk, { prefix, most });
  return found.map(({ sk, partnerId }) => ({ programId: Number(sk.slice(prefix.length)), partnerId }));
}

/** Partners of this address without account; anyone with a workspace can make some, so their number is limited. */
export async function partnersOfAddress(table: Table, email: string, most: number): Promise<PartnerPointer[]> {
  const found = await table.query<StoredPointer>(keys.partnerOfEmail(email, 0).pk, { most });
  return found.map(({ sk, partnerId }) => ({ programId: programIdOf({ pk: sk, sk }), partnerId }));
}

/** Names a partner without account under its address. */
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

/** Forgets what an address led to, unless it leads to another partner meanwhile. */
export const staleAddressWrite = ({ id, ...address }: AddressedPartner): Write => ({
  ...forgottenAddressWrite(address),
  condition: { equals: { partnerId: id } },
});

/** Names a partner under its account. */
export const accountPartnerWrite = (
  accountId: number,
  { programId, id }: Pick<AddressedPartner, 'programId' | 'id'>,
): Write => ({
  name: 'account',
  key: keys.accountPartner(accountId, programId),
  put: { partnerId: id },
  // An account is one partner of a program.
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

/** That an owner has looked at a program as this partner; of one hour only the first write succeeds. */
export const viewedAsWrite = (accountId: number, { programId, partnerId }: PartnerPointer, hour: string): Write => ({
  name: 'viewedAs',
  key: keys.viewedAs(accountId, programId, partnerId),
  change: { set: { hour } },
  condition: { below: { hour } },
});

/** Writes that list an account as the partner of its address. */
export const matchWrites = ({ id: accountId }: Account, { programId, id, email }: AddressedPartner): Write[] => [
  {
    name: 'partner',
    key: keys.partner(programId, id),
    change: { set: { accountId } },
    // The brand changes the address, or another account is matched at the same moment: the loser is not this partner.
    condition: { equals: { email, accountId: undefined } },
  },
  accountPartnerWrite(accountId, { programId, id }),
  forgottenAddressWrite({ email, programId }),
  openAccountCheck(accountId),
];

/** Writes by which a partner who is known by its address alone has no account any more: the next account with the address finds it. */
export const unmatchedWrites = (accountId: number, partner: AddressedPartner): Write[] => [
  {
    name: 'partner',
    key: keys.partner(partner.programId, partner.id),
    change: { set: { accountId: undefined } },
    // The brand changes the address at this moment, which forgets the account as well.
    condition: { equals: { email: partner.email, accountId, joinedAt: undefined } },
  },
  forgottenAccountWrite(accountId, partner),
  addressWrite(partner),
];
