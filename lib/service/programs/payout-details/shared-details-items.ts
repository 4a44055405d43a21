import type { SealedPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** An account whose payout details a workspace could see, and its partner in that workspace. */
interface Share {
  readonly accountId: number;
  readonly workspaceId: number;
  readonly partnerId: number;
}

/** Records that a person's details are no longer shared with a workspace. Times are ISO 8601. */
export interface EndOfShare extends Share {
  readonly endedAt: string;
  /**
   * The payout details at the time when sharing ended, encrypted for the account. Null if there were none, or if the
   * person has deleted them since.
   */
  readonly details: SealedPayoutDetails | null;
}

/** If sharing ends twice at the same moment, the first end stays stored: older payouts must not show newer details. */
export const endOfShareWrite = ({ endedAt, ...end }: EndOfShare): Write => ({
  name: 'endOfShare',
  key: keys.sharedDetails(end.accountId, end.workspaceId, end.partnerId, endedAt),
  change: { setOnce: { ...end, endedAt } },
});

/** The first time at which sharing ended, at or after a given time. */
export async function firstEndOfShare(
  table: Table,
  { accountId, workspaceId, partnerId }: Share,
  from: string,
): Promise<EndOfShare | undefined> {
  const { pk, sk } = keys.sharedDetails(accountId, workspaceId, partnerId, from);
  const [first] = await table.range<EndOfShare>(pk, sk, keys.sharedDetails(accountId, workspaceId, partnerId, '~').sk);
  return first;
}

/** All stored records of an account that sharing with a workspace ended. */
export function endsOfShares(table: Table, accountId: number): Promise<EndOfShare[]> {
  const { pk, sk: prefix } = keys.sharedDetails(accountId, '', '', '');
  return table.query<EndOfShare>(pk, { prefix });
}

/**
 * Deletes the payout details that were kept when a person stopped sharing them with a workspace. The item itself stays.
 * Without it, payouts from that time would be shown with the person's newer details.
 */
export const forgottenDetailsWrite = ({ endedAt, ...end }: EndOfShare): Write => ({
  name: `endOfShare ${end.workspaceId} ${end.partnerId} ${endedAt}`,
  key: keys.sharedDetails(end.accountId, end.workspaceId, end.partnerId, endedAt),
  change: { set: { details: null } },
  condition: { exists: true },
});
