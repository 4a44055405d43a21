import type { SealedPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Whose details a workspace saw, and as which partner. */
interface Share {
  readonly accountId: number;
  readonly workspaceId: number;
  readonly partnerId: number;
}

/** That a person's details are shared with a workspace no more. Times are ISO 8601. */
export interface EndOfShare extends Share {
  readonly endedAt: string;
  /** The details of that moment, sealed for the account; null: there were none, or the person has deleted them since. */
  readonly details: SealedPayoutDetails | null;
}

/** Of two ends at the same moment the first one stays: older payouts show nothing newer. */
export const endOfShareWrite = ({ endedAt, ...end }: EndOfShare): Write => ({
  name: 'endOfShare',
  key: keys.sharedDetails(end.accountId, end.workspaceId, end.partnerId, endedAt),
  change: { setOnce: { ...end, endedAt } },
});

/** The first end of a share at this time or later. */
export async function firstEndOfShare(
  table: Table,
  { accountId, workspaceId, partnerId }: Share,
  from: string,
): Promise<EndOfShare | undefined> {
  const { pk, sk } = keys.sharedDetails(accountId, workspaceId, partnerId, from);
  const [first] = await table.range<EndOfShare>(pk, sk, keys.sharedDetails(accountId, workspaceId, partnerId, '~').sk);
  return first;
}

/** Every end of a share of an account, of whichever workspace. */
export function endsOfShares(table: Table, accountId: number): Promise<EndOfShare[]> {
  const { pk, sk: prefix } = keys.sharedDetails(accountId, '', '', '');
  return table.query<EndOfShare>(pk, { prefix });
}

/** Takes the details away from an end of a share, which stays: older payouts show no newer ones instead. */
export const forgottenDetailsWrite = ({ endedAt, ...end }: EndOfShare): Write => ({
  name: `endOfShare ${end.workspaceId} ${end.partnerId} ${endedAt}`,
  key: keys.sharedDetails(end.accountId, end.workspaceId, end.partnerId, endedAt),
  change: { set: { details: null } },
  condition: { exists: true },
});
