import type { Agreements, AgreementsChange, Group } from '#lib/service/programs/terms/agreements.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { MonthlySales } from '#lib/service/programs/terms/terms.ts';
import type { Bursts } from '#lib/service/programs/terms/velocity.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

/** A stored group. `partnerIds` is absent if there are none, because a set in the table cannot be empty. */
type GroupItem = Omit<Group, 'partnerIds'> & { readonly partnerIds?: ReadonlySet<number> };

type AgreementsItem = Partial<Omit<Agreements, 'groups' | 'bursts'>> &
  Bursts & { readonly groups?: readonly GroupItem[] };

/** The terms of a program's groups and partners. A program without groups and personal terms has no such item. */
export async function findAgreements(table: Table, programId: number): Promise<Agreements> {
  const item = await table.get<AgreementsItem>(keys.agreements(programId));
  return {
    revision: item?.revision,
    groups: (item?.groups ?? []).map((group) => ({ ...group, partnerIds: group.partnerIds ?? new Set() })),
    personal: item?.personal ?? {},
    bursts: { clickBursts: item?.clickBursts, signupBursts: item?.signupBursts },
  };
}

/**
 * How many bursts of each kind are stored at most. Even with the largest agreements they fit into the item. A burst is
 * an unusual peak of clicks or signups.
 */
const MOST_BURSTS = { clickBursts: 800, signupBursts: 200 } as const;
/** If there are too many bursts, the oldest of them and this many more are removed, so that removals are rare. */
const DROPPED = 50;

/**
 * Stores bursts in the item of the agreements, which every sale reads. Concurrent changes of terms do not conflict with
 * this write.
 * @param bursts numbers, see `Bursts`; if all are stored already, nothing is written
 */
export async function recordBursts(
  table: Table,
  programId: number,
  kind: keyof Bursts,
  bursts: readonly number[],
): Promise<void> {
  const noted = (await findAgreements(table, programId)).bursts?.[kind] ?? new Set<number>();
  const added = new Set(bursts).difference(noted);
  if (added.size === 0) return;
  await table.update(keys.agreements(programId), { add: { [kind]: added } });
  const all = [...noted, ...added].toSorted((a, b) => a - b);
  if (all.length <= MOST_BURSTS[kind]) return;
  const oldest = all.slice(0, all.length - MOST_BURSTS[kind] + DROPPED);
  await table.update(keys.agreements(programId), { takeOut: { [kind]: new Set(oldest) } });
}

/** A short attribute name, because the item may have one per partner of the program. */
const salesAttribute = (partnerId: number): string => `s${partnerId}`;

const LONGEST_COUNT = 1_000_000_000;

/**
 * Packs the sales of a month into one number, because the item contains many: the month as `YYYYMM`, then the sales in
 * nine digits.
 */
const packed = ({ month, sales }: MonthlySales): number =>
  Number(month.replace('-', '')) * LONGEST_COUNT + Math.min(sales, LONGEST_COUNT - 1);

function unpacked(number: number): MonthlySales {
  const month = String(Math.floor(number / LONGEST_COUNT));
  return { month: `${month.slice(0, 4)}-${month.slice(4)}`, sales: number % LONGEST_COUNT };
}

/** A partner's number of sales in the latest month for which this number was stored. */
export async function findMonthlySales(
  table: Table,
  programId: number,
  partnerId: number,
): Promise<MonthlySales | undefined> {
  const item = await table.get<Record<string, number>>(keys.agreements(programId));
  const number = item?.[salesAttribute(partnerId)];
  return number === undefined ? undefined : unpacked(number);
}

/**
 * Permanently stores a partner's number of sales in a month that is later than the stored one.
 * @returns the stored number; if two requests race, both get the one stored first
 */
export async function fixMonthlySales(
  table: Table,
  programId: number,
  partnerId: number,
  before: MonthlySales | undefined,
  after: MonthlySales,
): Promise<MonthlySales> {
  const name = salesAttribute(partnerId);
  try {
    const change = { set: { [name]: packed(after) } };
    await table.update(keys.agreements(programId), change, { equals: { [name]: before && packed(before) } });
    return after;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return unpacked(error.existing.get('item')?.[name] as number);
  }
}

const groupItem = ({ partnerIds, ...group }: Group): GroupItem => ({
  ...group,
  ...(partnerIds.size > 0 && { partnerIds }),
});

/** Writes that store a change of agreements. */
export const changedAgreementsWrites = (
  program: Program,
  { revision }: Agreements,
  { after, version }: AgreementsChange,
): Write[] => [
  {
    name: 'agreements',
    key: keys.agreements(program.id),
    change: {
      set: { groups: after.groups.map(groupItem), personal: after.personal, revision: (revision ?? 0) + 1 },
    },
    // Closes the race between two owners who change terms: the second request reloads and decides again.
    condition: { equals: { revision } },
  },
  ...(version === undefined
    ? []
    : [
        {
          name: 'program',
          key: keys.program(program.id),
          change: { set: { lastTermsVersion: version } },
          // Fails if another change of the program's terms has taken the same version number. Also fails if `leadAuth`
          // has changed, because no terms may pay for leads that browsers send without confirmation. This request then
          // reloads and decides again.
          condition: {
            exists: true,
            equals: { lastTermsVersion: program.lastTermsVersion, leadAuth: program.leadAuth },
          },
        } as const,
      ]),
];
