import type { TermsChange } from '#lib/service/programs/terms/terms.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { payoutsOf } from '#lib/service/earnings/payouts/payouts-items.ts';
import { latestTermsChanges } from '#lib/service/programs/terms/terms-items.ts';

const MOST_CHANGES = 100;

/**
 * The changes of a program's terms since its last payout began, newest first, so that the owner who pays sees what
 * others changed. Before the first payout, these are all changes since the program was created.
 */
export async function changedTerms({ table }: Pick<Deps, 'table'>, programId: number): Promise<TermsChange[]> {
  const [{ items: payouts }, changes] = await Promise.all([
    // The newest payout may be open. A program has at most one open payout, so the one before it is finished.
    payoutsOf(table, programId, { most: 2 }),
    latestTermsChanges(table, programId, MOST_CHANGES),
  ]);
  const since = payouts.find(({ status }) => status === 'made')?.createdAt ?? '';
  const latest = changes.filter(({ at }) => at >= since);
  return Promise.all(latest.map(async (change) => ({ ...change, name: await nameOf(table, programId, change) })));
}

const nameOf = async (table: Deps['table'], programId: number, { from, id, name }: TermsChange) =>
  from === 'partner' ? (await findPartner(table, programId, id))?.name : name;
