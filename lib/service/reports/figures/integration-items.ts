import { chainNotRun, type ChainVerdict, type Step, steps } from '#lib/service/reports/figures/readiness.ts';
import { feedKeys, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** The latest verification chain of a program. */
export interface LatestChain {
  readonly at: string;
  readonly verdict: ChainVerdict;
}

/** The result of the latest verification chain, and whether any chain has stored test events. */
export async function findChains(
  table: Table,
  programId: number,
): Promise<{ readonly chain: ChainVerdict; readonly hasChainRows: boolean }> {
  const latest = await table.get<LatestChain & { readonly hasRows?: true }>(keys.chain(programId));
  const chain = latest?.verdict ?? chainNotRun;
  return { chain, hasChainRows: latest?.hasRows === true || leavesRows(chain) };
}

/** Whether a verification chain stores test events. If its click is refused, it stores none. */
const leavesRows = ({ click }: ChainVerdict): boolean => click === 'attributed' || click === 'wrong_partner';

export const storeLatestChain = (table: Table, programId: number, latest: LatestChain): Promise<unknown> =>
  table.update(keys.chain(programId), { set: { ...latest, ...(leavesRows(latest.verdict) && { hasRows: true }) } });

/** The partner to which a program's verification chains are attributed. No list contains this partner. */
export interface TestPartner {
  readonly partnerId: number;
}

export const findTestPartner = (table: Table, programId: number): Promise<TestPartner | undefined> =>
  table.get<TestPartner>(keys.testPartner(programId));

/** Fails if another verification chain was stored first. This one then uses the test partner of the other. */
export const createTestPartner = (
  table: Table,
  programId: number,
  shortLink: string,
  testPartner: TestPartner,
  createdAt: string,
) =>
  table.transact([
    { name: 'test partner', key: keys.testPartner(programId), put: testPartner, condition: { isNew: true } },
    {
      name: 'link',
      key: keys.link(shortLink),
      // The test partner's link has no index keys, so it appears in no list.
      put: { shortLink, programId, ...testPartner, status: 'active', destinationUrl: 'https://invalid/', createdAt },
    },
  ]);

/** When the latest real event of each kind was recorded, according to the newest entry in its event list. */
export interface LastRealEvents extends Partial<Record<Step, string>> {
  /** When the latest sale was recorded through the API. */
  readonly apiSale?: string;
}

export async function lastRealEvents(table: Table, programId: number): Promise<LastRealEvents> {
  const [ofApi, ofProcessor] = await Promise.all([
    newest(table, (step) => feedKeys(programId, step, 'EVENTS')),
    newestOf(table, feedKeys(programId, 'sale', 'PROCESSOR_EVENTS')),
  ]);
  const sale = [ofApi.sale, ofProcessor]
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1);
  return { ...ofApi, sale, apiSale: ofApi.sale };
}

/** The kinds of events for which a test event was sent with the program key. */
export async function keyedTestsOf(table: Table, programId: number): Promise<Set<Step>> {
  const found = await newest(table, (step) => feedKeys(programId, step, 'KEYED_TEST_EVENTS'));
  return new Set(steps.filter((step) => found[step] !== undefined));
}

async function newest(
  table: Table,
  listsOf: (step: Step) => readonly string[],
): Promise<Partial<Record<Step, string>>> {
  const times = await Promise.all(steps.map(async (step) => [step, await newestOf(table, listsOf(step))] as const));
  return Object.fromEntries(times);
}

async function newestOf(table: Table, lists: readonly string[]): Promise<string | undefined> {
  const newestOfEach = await Promise.all(lists.map((list) => table.list(list, { most: 1, newestFirst: true })));
  return newestOfEach
    .flatMap(({ entries }) => entries.map(({ position }) => position))
    .toSorted()
    .at(-1)
    ?.split('#')[0];
}
