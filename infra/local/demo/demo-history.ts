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
import type { NumericIds } from '#lib/service/ground/counters/sequence-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { dressFirstBrand, dressSecondBrand, planSecondBrand } from '#infra/local/demo/demo-brands.ts';
import { ensureSecondBrand, SECOND_DOMAIN } from '#infra/local/demo/second-brand.ts';
import { planHistory, type Step } from '#infra/local/demo/demo-plan.ts';
import { play, type Scene } from '#infra/local/demo/demo-player.ts';
import { findProgress, IDS_A_STEP, MOST_STEPS, type Progress } from '#infra/local/demo/demo-progress.ts';
import { calendarUntil, firstMomentUntil } from '#infra/local/demo/demo-visitors.ts';

/**
 * Creates the missing part of the demo's history.
 * @param signal if aborted, the function stops after the current day
 * @returns whether the history is complete
 */
export type MakeHistory = (signal: AbortSignal) => Promise<boolean>;

/** Returns a function that creates the missing part of the demo's history; undefined if the history is complete. */
export async function openHistory(
  client: DynamoDBDocumentClient,
  demo: { readonly program_id: number; readonly owner_email: string },
): Promise<MakeHistory | undefined> {
  const { config, ...container } = currentContainer();
  // Reads may be cached for a whole day of the history, because links and programs do not change within such a day.
  const storage = openStorage({ ...config, rememberedReadsMs: DAY_MS }, client);
  const depsAt = (at: Date): Deps => requestDeps(at, 'demo', {}, { ...container, ...storage, config });
  const { table } = depsAt(new Date());
  const [progress, owner] = await Promise.all([findProgress(table), findAccountByEmail(table, demo.owner_email)]);
  if (!progress || !owner) return undefined;
  const account = await findAccount(table, owner.accountId);
  const actor = account && actorOf(account);
  const sceneAt = (at: Date): Scene => ({
    deps: { ...depsAt(at), actor },
    programId: demo.program_id,
    domain: 'acme.test',
    owner: `account:${owner.accountId}`,
  });
  return (signal) => makeHistory(sceneAt, progress, signal);
}

/**
 * Performs the history's steps, day by day. If a run is interrupted, the next one repeats the unfinished day. The
 * repeated steps have the same ids, so they do not change what already exists.
 */
async function makeHistory(sceneAt: (at: Date) => Scene, progress: Progress, signal: AbortSignal): Promise<boolean> {
  const { endsAt, firstId, played } = progress;
  const { table } = sceneAt(new Date(endsAt)).deps;
  const end = new Date(endsAt);
  const steps = planHistory(end).map((step, n) => ({ step, n }));

  async function playOne({ step, n }: { step: Step; n: number }, other?: Partial<Scene>): Promise<void> {
    const { deps, ...scene } = { ...sceneAt(step.at), ...other };
    const ids = idsFrom(firstId + IDS_A_STEP * n, deps.ids);
    await play({ ...scene, deps: { ...deps, ids } }, step).catch(unlessRefused);
  }

  if (played === 0) {
    const depsOf = () => sceneAt(firstMomentUntil(end)).deps;
    await dressFirstBrand(depsOf, sceneAt(end).programId);
    const program = await ensureSecondBrand(depsOf);
    await dressSecondBrand(depsOf, program);
    const second = { programId: program.id, domain: SECOND_DOMAIN };
    for (const [n, step] of planSecondBrand(calendarUntil(end)).entries())
      await playOne({ step, n: MOST_STEPS - 1 - n }, second);
  }
  for (const day of Map.groupBy(steps.slice(played), ({ step }) => dayOf(step.at)).values()) {
    if (signal.aborted) return false;
    // The steps run one after the other, not in parallel, so that a person's request waits for at most one of them.
    for (const each of day) await playOne(each);
    const done = day.at(-1)!.n + 1;
    const after: Progress = { ...progress, played: done, isComplete: done === steps.length };
    await table.put(keys.demoHistory, after);
  }
  return true;
}

/**
 * Ignores refusals. When an unfinished day is repeated, the steps that were already done are refused. A step is also
 * refused if it conflicts with a change that a person has made in the demo in the meantime.
 */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Refusal || error instanceof ConditionFailed)) throw error;
}

/**
 * The ids that a step uses. They are reserved for the step, so a repeated step has the same ones. A step that needs
 * more takes them from the service's sequence.
 */
function idsFrom(first: number, others: NumericIds): NumericIds {
  let next = first;
  return { take: async (table) => (next < first + IDS_A_STEP ? next++ : others.take(table)) };
}
