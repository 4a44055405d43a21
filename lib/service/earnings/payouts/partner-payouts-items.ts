import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { joinedClaims, type Payout, type PayoutClaims } from '#lib/service/earnings/payouts/payout.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { keys, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import { type Claiming, claimIn, placeInList } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { findStoredLine } from '#lib/service/earnings/lines/payout-lines-items.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Entry } from '#lib/service/ground/table/listed.ts';

/** The amount that a payout paid to one partner in one currency. */
export interface PartnerPayout extends PayoutClaims {
  readonly payoutId: number;
  readonly createdAt: string;
  readonly reference?: string;
  /** The payout line. Undefined if the payout has the old format (version 1) and the line was never changed. */
  readonly line?: PayoutLine;
}

/** Maximum number of index entries per query. After about as many, a page ends. Each has up to 100 commission ids. */
const STRIDE = 500;

/**
 * Payouts to one partner, newest first. Each step of a payout has its own index entry. The entries of one payout are
 * adjacent, and this function joins them. If there are very many entries, the page is shorter than requested.
 * @param payout restricts the result to this payout
 */
export async function payoutsOfPartner(
  table: Table,
  programId: number,
  partnerId: number,
  { most, after }: PageRequest,
  payout?: Pick<Payout, 'id' | 'createdAt'>,
): Promise<Page<PartnerPayout>> {
  const place = payout && placeInList(payout);
  const list = partnerIndexKeys.payoutClaim(programId, partnerId, '', 0).gsi2pk;
  const groups: Group[] = [];
  // The list is newest first, and `~` sorts after every currency, so the payout's entries follow this position.
  let next = after ?? (place && `${place}~`);
  let read = 0;
  do {
    // One entry more than requested is read, to find out whether there is a next page.
    const size = read === 0 ? most + 1 : STRIDE;
    const request = { index: 'gsi2', newestFirst: true, most: size, after: next, downTo: place } as const;
    const { entries, next: rest } = await table.list(list, request);
    for (const entry of entries) addTo(groups, entry);
    read += entries.length;
    next = rest;
    // The last group may be incomplete and is left for the next page. If it is the only one, reading continues.
  } while (next !== undefined && groups.length <= most && (read < STRIDE || groups.length === 1));
  const whole = next === undefined ? groups : groups.slice(0, -1);
  const page = whole.slice(0, most);
  const items = await Promise.all(page.map((group) => payoutOf(table, group)));
  return { items: items.flat(), next: page.length < groups.length ? page.at(-1)?.end : undefined };
}

/** The creation time of the partner's latest payout. @param before if set, only payouts older than this one count */
export async function lastPaidAt(
  table: Table,
  { programId, id }: Pick<Partner, 'programId' | 'id'>,
  before?: Pick<Payout, 'id' | 'createdAt'>,
): Promise<string | undefined> {
  const list = partnerIndexKeys.payoutClaim(programId, id, '', 0).gsi2pk;
  const after = before && placeInList(before);
  const { entries } = await table.list(list, { index: 'gsi2', newestFirst: true, most: 1, after });
  return entries[0]?.position.split('#')[0];
}

interface Group {
  readonly name: string;
  readonly entries: Entry[];
  /** Position of the last index entry, after which the next page starts. */
  end: string;
}

/** The part of a position that all index entries of one payout and currency share; only the step follows it. */
const groupName = (position: string): string => position.slice(0, position.lastIndexOf('#'));

function addTo(groups: Group[], entry: Entry): void {
  const name = groupName(entry.position);
  const last = groups.at(-1);
  if (last?.name === name) {
    last.entries.push(entry);
    last.end = entry.position;
  } else {
    groups.push({ name, entries: [entry], end: entry.position });
  }
}

async function payoutOf(table: Table, { entries }: Group): Promise<PartnerPayout[]> {
  const found = await Promise.all(entries.map(({ pk, sk }) => table.get<Claiming>({ pk, sk })));
  const claims = found.flatMap((item) => (item && claimIn(item)) ?? []);
  return Promise.all(
    joinedClaims(claims).map(async (joined) => {
      const { createdAt } = claims[0]!;
      const payoutId = Number(placeOf(entries[0]!)[1]);
      const { partnerId, currency } = joined;
      const [stored, line] = await Promise.all([
        table.get<Pick<PartnerPayout, 'reference'>>(keys.payoutReference(payoutId)),
        findStoredLine(table, { payoutId, partnerId, currency }),
      ]);
      return { ...joined, payoutId, createdAt, reference: line?.reference ?? stored?.reference, line };
    }),
  );
}

const placeOf = ({ position }: Entry): string[] => position.split('#');
