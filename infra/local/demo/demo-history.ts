import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { actorOf } from '#lib/service/ground/changes/audit.ts';
import { Refusal } from '#lib/service/ground/values/refusals.ts';
import { currentContainer } from '#lib/service/ground/effects/container.ts';
import { type Deps, requestDeps } from '#lib/service/ground/effects/deps.ts';
import { openStorage } from '#lib/service/ground/effects/storage.ts';
import { findAccount, findAccountByEmail } from '#lib/service/people/accounts/accounts-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type NumericIds, reserveIds } from '#lib/service/ground/counters/sequence-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { planHistory, type Step } from '#infra/local/demo/demo-plan.ts';
import { play, type Scene } from '#infra/local/demo/demo-player.ts';

/** How far the demo's history is made. It is in the table, where a restart finds it. */
interface Progress {
  readonly endsAt: string;
  readonly firstId: number;
  /** Steps of the days that are complete. */
  readonly played: number;
  readonly isComplete: boolean;
}

const IDS_A_STEP = 4;
/** A plan has fewer. The service's next ids follow these, wherever the history is. */
export const MOST_STEPS = 2_500;

/** Marks a table as one whose demo gets a history that ends now. */
export async function beginHistory({ table, now }: Deps): Promise<void> {
  const firstId = await reserveIds(table, IDS_A_STEP * MOST_STEPS);
  const progress: Progress = { endsAt: now.toISOString(), firstId, played: 0, isComplete: false };
  await table.put(keys.demoHistory, progress);
}

/** Makes what is left of a history. @param signal ends it after the day under way @returns whether it is complete */
export type MakeHistory = (signal: AbortSignal) => Promise<boolean>;

/** The history that a table's demo is still to get, all of it or what an earlier run left; undefined if it lacks none. */
export async function openHistory(
  client: DynamoDBDocumentClient,
  demo: { readonly program_id: number; readonly owner_email: string },
): Promise<MakeHistory | undefined> {
  const { config, ...container } = currentContainer();
  // Nothing that clicks read changes within a day of the history.
  const storage = openStorage({ ...config, rememberedReadsMs: DAY_MS }, client);
  const depsAt = (at: Date): Deps => requestDeps(at, 'demo', {}, { ...container, ...storage, config });
  const { table } = depsAt(new Date());
  const [progress, owner] = await Promise.all([
    table.get<Progress>(keys.demoHistory),
    findAccountByEmail(table, demo.owner_email),
  ]);
  if (!progress || progress.isComplete || !owner) return undefined;
  const account = await findAccount(table, owner.accountId);
  const actor = account && actorOf(account);
  const sceneAt = (at: Date): Scene => ({
    deps: { ...depsAt(at), actor },
    programId: demo.program_id,
    owner: `account:${owner.accountId}`,
  });
  return (signal) => makeHistory(sceneAt, progress, signal);
}

/**
 * Day by day, the oldest first. A day that was interrupted is made again: its steps have the same ids, so what is there
 * stays as it is.
 */
async function makeHistory(sceneAt: (at: Date) => Scene, progress: Progress, signal: AbortSignal): Promise<boolean> {
  const { endsAt, firstId, played } = progress;
  const { table } = sceneAt(new Date(endsAt)).deps;
  const steps = planHistory(new Date(endsAt)).map((step, n) => ({ step, n }));

  async function playOne({ step, n }: { step: Step; n: number }): Promise<void> {
    const { deps, ...scene } = sceneAt(step.at);
    const ids = idsFrom(firstId + IDS_A_STEP * n, deps.ids);
    await play({ ...scene, deps: { ...deps, ids } }, step).catch(unlessRefused);
  }

  for (const day of Map.groupBy(steps.slice(played), ({ step }) => dayOf(step.at)).values()) {
    if (signal.aborted) return false;
    const {
      links = [],
      clicks = [],
      others = [],
    } = Object.groupBy(day, ({ step: { kind } }) =>
      kind === 'link' ? 'links' : kind === 'click' ? 'clicks' : 'others',
    );
    for (const link of links) await playOne(link);
    // Each is of another customer, or of one who came on an earlier day. All else depends on what was before.
    await Promise.all(clicks.map(playOne));
    for (const other of others) await playOne(other);
    const done = day.at(-1)!.n + 1;
    const after: Progress = { ...progress, played: done, isComplete: done === steps.length };
    await table.put(keys.demoHistory, after);
  }
  return true;
}

/**
 * What an interrupted day has done already is refused, or meets a customer that is there and changed since. So is what a
 * person prevents who uses the demo meanwhile.
 */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Refusal || error instanceof ConditionFailed)) throw error;
}

/** A step's own ids, the same when it is repeated. One that is decided several times takes more of the service. */
function idsFrom(first: number, others: NumericIds): NumericIds {
  let next = first;
  return { take: async (table) => (next < first + IDS_A_STEP ? next++ : others.take(table)) };
}
