import { eventDays } from '#lib/service/ground/counters/counter-parts.ts';
import { clickOf, incrementsOf } from '#lib/service/reports/counting/counters.ts';
import { incrementSum } from '#lib/service/reports/counting/increment-sum.ts';
import { type Counter, counterId } from '#lib/service/ground/counters/counter.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { everyProgram, findProgram, highestProgramId } from '#lib/service/programs/program/programs-items.ts';
import { countablesOf, countersOf } from '#lib/service/reports/counting/recount-items.ts';
import {
  type CatchingUp,
  correctCounters,
  type Wrong,
  wrongPartsOf,
  type WrongParts,
} from '#lib/service/reports/counting/correct-counters.ts';
import { rebuildCustomers } from '#lib/service/reports/counting/rebuild-customers.ts';

export interface Rebuilt {
  readonly programId: number;
  /** Number of days for which the events give counts. */
  readonly days: number;
}

/**
 * Recounts a program's events and commissions and corrects every counter that disagrees. New events may arrive
 * meanwhile. Their differences vanish once they are counted, so a part is corrected only if two recounts find the same
 * numbers in the part and in the events.
 * @throws Refusal if there is no such program
 * @throws Error if the counters are late or keep changing
 */
export async function rebuildMetrics(
  deps: OperatorDeps,
  programId: number,
  how: Partial<CatchingUp> = {},
): Promise<Rebuilt> {
  if (!(await findProgram(deps.table, programId))) throw programNotFound();
  const first = await recount(deps, programId);
  let { days } = first;
  const again = async () => {
    const { wrong, ...found } = await recount(deps, programId);
    ({ days } = found);
    return wrong;
  };
  await correctCounters(deps, programId, first.wrong, again, how);
  await rebuildCustomers(deps, programId, how);
  return { programId, days };
}

/** A program whose counters could not be corrected, with the reason. */
export interface NotRebuilt {
  readonly programId: number;
  readonly reason: string;
}

/** Number of programs rebuilt at a time. Most of the time is spent waiting for the consumer. */
const AT_ONCE = 10;

/** Rebuilds all programs. A failure of one does not affect the others. */
export async function rebuildAllMetrics(
  deps: OperatorDeps,
  how: Partial<CatchingUp> = {},
): Promise<{ rebuilt: readonly Rebuilt[]; failed: readonly NotRebuilt[] }> {
  const programIds: number[] = [];
  for await (const { id } of everyProgram(deps.table, await highestProgramId(deps.table))) programIds.push(id);
  const rebuilt: Rebuilt[] = [];
  const failed: NotRebuilt[] = [];
  for (let at = 0; at < programIds.length; at += AT_ONCE) {
    const some = programIds.slice(at, at + AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((programId) => rebuildMetrics(deps, programId, how)));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') rebuilt.push(outcome.value);
      else failed.push({ programId: some[index]!, reason: messageOf(outcome.reason) });
    }
  }
  return { rebuilt, failed };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Recounts the program, its partners and its links. Customers are recounted separately, because there may be many. */
async function recount(deps: OperatorDeps, programId: number): Promise<{ days: number; wrong: WrongParts }> {
  const { table } = deps;
  const sum = incrementSum();
  const clicks = new Map<string, string>();
  for await (const countables of countablesOf(table, programId)) {
    for (const countable of countables) {
      sum.add(incrementsOf(undefined, countable).filter(({ counter }) => counter.of !== 'customer'));
      const { shortLink, at } = clickOf(countable) ?? { shortLink: '', at: '' };
      if (at > (clicks.get(shortLink) ?? '')) clicks.set(shortLink, at);
    }
  }
  const expected = new Map(sum.increments().map((increment) => [counterId(increment.counter), increment]));
  const counters = await countersOf(table, programId);
  for (const [id, { counter }] of expected) counters.set(id, counter);

  const wrong: [string, Wrong][] = [];
  for (const [id, counter] of counters) {
    const counts = expected.get(id)?.counts ?? {};
    wrong.push(...(await wrongPartsOf(deps, { counter, counts, lastClickedAt: clicks.get(nameOf(counter)) })));
    table.forget();
  }
  const program = expected.get(counterId({ of: 'program', programId }))?.counts ?? {};
  return { days: eventDays(program), wrong: new Map(wrong) };
}

const nameOf = (counter: Counter): string => (counter.of === 'link' ? counter.shortLink : '');
