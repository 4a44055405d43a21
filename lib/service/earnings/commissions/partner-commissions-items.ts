import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import type { Page } from '#lib/service/ground/values/paging.ts';
import { pageEndAt } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import type { CommissionList, CommissionPage } from '#lib/service/earnings/commissions/commissions-items.ts';
import { endOfDay, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { keptPage } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Entry, ListRequest } from '#lib/service/ground/table/listed.ts';

/** The partner whose commissions are listed. */
interface Owner {
  readonly programId: number;
  readonly partnerId: number;
}

/** Commissions of one partner, newest first. @param keep a filter that returns false for commissions to leave out */
export const commissionsOfPartner = (
  table: Table,
  owner: Owner,
  list: CommissionList,
  { most, after, from, to }: CommissionPage,
  keep: (commission: Commission) => boolean = () => true,
): Promise<Page<Commission>> =>
  keptPage({ most, after: after ?? (to && endOfDay(to)) }, async (part) => {
    const { entries, next } = await newestOf(table, listsOf(owner, list), { ...part, downTo: from });
    const items = await Promise.all(entries.map(({ pk, sk }) => table.get<Commission>({ pk, sk })));
    const kept = entries.flatMap(({ position }, index) => {
      const item = items[index];
      return item !== undefined && keep(item) ? [{ position, item }] : [];
    });
    return { items: kept, next };
  });

function listsOf({ programId, partnerId }: Owner, list: CommissionList): string[] {
  const open = partnerIndexKeys.openCommission(programId, partnerId, '').gsi2pk;
  const settled = partnerIndexKeys.settledCommission(programId, partnerId, '', 0).gsi2pk;
  return list === 'all' ? [open, settled] : [open];
}

/** Merges several lists in one order. A commission that is being moved may be in two lists, but is returned once. */
async function newestOf(table: Table, lists: readonly string[], part: ListRequest) {
  const { most } = part;
  const request = { index: 'gsi2', newestFirst: true, ...part } as const;
  const listed = await Promise.all(lists.map((list) => table.list(list, request)));
  // Each list was read down to another position. The merged list is complete only down to the newest of them.
  const known = listed.map(({ next = '' }) => pageEndAt(next)).reduce((a, b) => (a > b ? a : b), '');
  const found = new Map<string, Entry>();
  for (const { entries } of listed) {
    for (const entry of entries) {
      const position = pageEndAt(entry.position);
      if (position >= known) found.set(position, { ...entry, position });
    }
  }
  const inOrder = [...found.values()].toSorted((a, b) => (a.position < b.position ? 1 : -1));
  const entries = inOrder.slice(0, most);
  return { entries, next: inOrder.length > most ? entries.at(-1)?.position : known || undefined };
}
