import { chainNotRun, type ChainVerdict, type Step, steps } from '#lib/domain/readiness.ts';
import { indexKeys, keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';

/** The latest verification chain of a program. */
export interface LatestChain {
  readonly at: string;
  readonly verdict: ChainVerdict;
}

/** How the latest chain ended, and whether any chain left rows behind. */
export async function findChains(
  table: Table,
  programId: number,
): Promise<{ readonly chain: ChainVerdict; readonly hasChainRows: boolean }> {
  const latest = await table.get<LatestChain & { readonly hasRows?: true }>(keys.chain(programId));
  const chain = latest?.verdict ?? chainNotRun;
  return { chain, hasChainRows: latest?.hasRows === true || leavesRows(chain) };
}

/** A click that is refused leaves none. */
const leavesRows = ({ click }: ChainVerdict): boolean => click === 'attributed' || click === 'wrong_partner';

export const storeLatestChain = (table: Table, programId: number, latest: LatestChain): Promise<unknown> =>
  table.update(keys.chain(programId), { set: { ...latest, ...(leavesRows(latest.verdict) && { hasRows: true }) } });

/** The unlisted partner to whom a program's verification chains are attributed. */
export interface TestPartner {
  readonly partnerId: number;
}

export const findTestPartner = (table: Table, programId: number): Promise<TestPartner | undefined> =>
  table.get<TestPartner>(keys.testPartner(programId));

/** Two chains prepare at once: the loser uses the winner's test partner. */
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
      // In no list: it has no place in the index.
      put: { shortLink, programId, ...testPartner, status: 'active', destinationUrl: 'https://invalid/', createdAt },
    },
  ]);

/** When the latest real event of each kind was recorded: the newest entry of its feed. */
export interface LastRealEvents extends Partial<Record<Step, string>> {
  /** The latest sale that came through the API. */
  readonly apiSale?: string;
}

export async function lastRealEvents(table: Table, programId: number): Promise<LastRealEvents> {
  const [ofApi, ofProcessor] = await Promise.all([
    newest(table, (step) => indexKeys.event(programId, step, 'EVENTS', '', 0).gsi1pk),
    newestOf(table, indexKeys.event(programId, 'sale', 'PROCESSOR_EVENTS', '', 0).gsi1pk),
  ]);
  const sale = [ofApi.sale, ofProcessor]
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1);
  return { ...ofApi, sale, apiSale: ofApi.sale };
}

/** Kinds of which there is a keyed test event. */
export async function keyedTestsOf(table: Table, programId: number): Promise<Set<Step>> {
  const found = await newest(table, (step) => indexKeys.event(programId, step, 'KEYED_TEST_EVENTS', '', 0).gsi1pk);
  return new Set(steps.filter((step) => found[step] !== undefined));
}

async function newest(table: Table, feedOf: (step: Step) => string): Promise<Partial<Record<Step, string>>> {
  const times = await Promise.all(steps.map(async (step) => [step, await newestOf(table, feedOf(step))] as const));
  return Object.fromEntries(times);
}

async function newestOf(table: Table, feed: string): Promise<string | undefined> {
  const {
    entries: [entry],
  } = await table.list(feed, { most: 1, newestFirst: true });
  return entry?.gsi1sk.split('#')[0];
}
