import { createHmac } from 'node:crypto';
import { mailboxOf } from '#lib/service/ground/addresses/email.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import {
  accountOf,
  type PayoutDetails,
  type SealedPayoutDetails,
} from '#lib/service/programs/payout-details/payout-details.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findPayoutDetails,
  findStoredDetails,
  payoutDetailsCheck,
} from '#lib/service/programs/payout-details/payout-details-items.ts';
import {
  agreeOnAccountSalt,
  findAccountSalt,
  formerAccountWrite,
  newAccountSaltWrite,
  partnersPaidTo,
  sameAccountWrite,
} from '#lib/service/programs/payout-details/same-accounts-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

type HashDeps = Pick<Deps, 'table' | 'random'>;
type Hashed = Pick<SealedPayoutDetails, 'accountHash'>;

const hmac = (salt: string, text: string): string => createHmac('sha256', salt).update(text).digest('hex');

const saltOf = async ({ table, random }: HashDeps, workspaceId?: number): Promise<string> =>
  (await findAccountSalt(table, workspaceId)) ?? agreeOnAccountSalt(table, random.salt(), workspaceId);

/** The hash of the account number that is stored beside the encrypted details; undefined for free text. */
export async function accountHashOf(deps: HashDeps, details: PayoutDetails): Promise<string | undefined> {
  const account = accountOf(details);
  return account === undefined ? undefined : hmac(await saltOf(deps), account);
}

/**
 * Writes of the items by which a workspace finds partners who are paid to the same account. Every workspace has its own
 * salt.
 */
export async function accountWrites(
  deps: HashDeps,
  workspaceId: number,
  partnerId: number,
  { before, after }: { readonly before?: Hashed; readonly after?: Hashed },
): Promise<Write[]> {
  const [former, present] = [before?.accountHash, after?.accountHash];
  if (former === undefined && present === undefined) return [];
  const salt = await saltOf(deps, workspaceId);
  return [
    ...(former !== undefined && former !== present
      ? [formerAccountWrite(workspaceId, hmac(salt, former), partnerId)]
      : []),
    ...(present !== undefined ? [sameAccountWrite(workspaceId, hmac(salt, present), partnerId)] : []),
  ];
}

/**
 * The writes of `accountWrites` for a person who becomes a partner, because from then on the workspace may see the
 * person's payout details.
 */
export async function accountWritesOfJoining(
  deps: HashDeps,
  workspaceId: number,
  { id, accountId }: Pick<Partner, 'id' | 'accountId'>,
): Promise<Write[]> {
  const details = accountId === undefined ? undefined : await findPayoutDetails(deps.table, accountId);
  return details ? accountWrites(deps, workspaceId, id, { after: details }) : [];
}

/**
 * The writes of `accountWritesOfJoining`, together with a check that the payout details are unchanged. Use them if the
 * transaction does not contain this check already. The check fails if another change of the details was written first.
 * This request then reloads and decides again.
 */
export async function accountWritesOfAccepting(
  deps: HashDeps,
  workspaceId: number,
  { id, accountId }: Pick<Partner, 'id' | 'accountId'>,
): Promise<Write[]> {
  if (accountId === undefined) return [];
  const details = await findStoredDetails(deps.table, accountId);
  return [
    payoutDetailsCheck(accountId, details),
    ...(details?.sealed === undefined ? [] : await accountWrites(deps, workspaceId, id, { after: details })),
  ];
}

/**
 * Other partners of the workspace who are paid to the same account as this one.
 * @param details the details that the partner shares; undefined if it shares none
 */
export async function sameAccountOf(
  { table }: Pick<Deps, 'table'>,
  workspaceId: number,
  partner: Partner,
  details: Hashed | undefined,
): Promise<readonly number[]> {
  const ids = await partnersWithAccountOf({ table }, workspaceId, details);
  return ids.filter((id) => id !== partner.id);
}

/** A hash of a removed partner's mailbox, which stays after the person has closed the account. */
const mailboxHash = (salt: string, email: string): string => hmac(salt, `mailbox ${mailboxOf(email)}`);

/** Writes by which a workspace recognizes the mailbox of a partner whom it removes. */
export async function removedMailboxWrites(
  { table, random }: HashDeps,
  workspaceId: number,
  { id, email }: Partner,
): Promise<Write[]> {
  if (email === undefined) return [];
  const known = await findAccountSalt(table, workspaceId);
  const salt = known ?? random.salt();
  return [
    ...(known === undefined ? [newAccountSaltWrite(salt, workspaceId)] : []),
    sameAccountWrite(workspaceId, mailboxHash(salt, email), id),
  ];
}

/** Partners whom a program of the workspace has removed and who had this mailbox at that time. */
export async function partnersRemovedWith(
  { table }: Pick<Deps, 'table'>,
  workspaceId: number,
  email: string,
): Promise<readonly number[]> {
  const salt = await findAccountSalt(table, workspaceId);
  return salt === undefined ? [] : partnersPaidTo(table, workspaceId, mailboxHash(salt, email));
}

/** Partners of the workspace who are paid to this account, or were when they were removed. */
export async function partnersWithAccountOf(
  { table }: Pick<Deps, 'table'>,
  workspaceId: number,
  details: Hashed | undefined,
): Promise<readonly number[]> {
  if (details?.accountHash === undefined) return [];
  const salt = await findAccountSalt(table, workspaceId);
  return salt === undefined ? [] : partnersPaidTo(table, workspaceId, hmac(salt, details.accountHash));
}
