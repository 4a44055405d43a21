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

/** What is kept of the account beside the sealed details; undefined for free text. */
export async function accountHashOf(deps: HashDeps, details: PayoutDetails): Promise<string | undefined> {
  const account = accountOf(details);
  return account === undefined ? undefined : hmac(await saltOf(deps), account);
}

/** Writes by which a workspace finds two partners of one account. Another workspace has another salt. */
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

/** The same when a person becomes a partner, whose details the workspace gets by that. */
export async function accountWritesOfJoining(
  deps: HashDeps,
  workspaceId: number,
  { id, accountId }: Pick<Partner, 'id' | 'accountId'>,
): Promise<Write[]> {
  const details = accountId === undefined ? undefined : await findPayoutDetails(deps.table, accountId);
  return details ? accountWrites(deps, workspaceId, id, { after: details }) : [];
}

/** The same where nothing else in the transaction checks the details: of a change at the same moment one is decided again. */
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

/** Other partners of the workspace who are paid to the account of this one. @param details that it shares, if it does */
export async function sameAccountOf(
  { table }: Pick<Deps, 'table'>,
  workspaceId: number,
  partner: Partner,
  details: Hashed | undefined,
): Promise<readonly number[]> {
  const ids = await partnersWithAccountOf({ table }, workspaceId, details);
  return ids.filter((id) => id !== partner.id);
}

/** What is kept of a removed partner's mailbox, also after its person closed the account. */
const mailboxHash = (salt: string, email: string): string => hmac(salt, `mailbox ${mailboxOf(email)}`);

/** Writes by which a workspace knows the mailbox of a partner whom it removes. */
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

/** Partners whom a program of the workspace has removed once, and who had this mailbox then. */
export async function partnersRemovedWith(
  { table }: Pick<Deps, 'table'>,
  workspaceId: number,
  email: string,
): Promise<readonly number[]> {
  const salt = await findAccountSalt(table, workspaceId);
  return salt === undefined ? [] : partnersPaidTo(table, workspaceId, mailboxHash(salt, email));
}

/** Partners of the workspace who are, or were when they were removed, paid to this account. */
export async function partnersWithAccountOf(
  { table }: Pick<Deps, 'table'>,
  workspaceId: number,
  details: Hashed | undefined,
): Promise<readonly number[]> {
  if (details?.accountHash === undefined) return [];
  const salt = await findAccountSalt(table, workspaceId);
  return salt === undefined ? [] : partnersPaidTo(table, workspaceId, hmac(salt, details.accountHash));
}
