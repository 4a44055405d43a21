import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { FactPump } from '#test/support/outbox/facts.ts';
import { NOW } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import type { World } from '#test/support/programs/world.ts';
import { actionOf } from '#test/ledger/play/actions.ts';
import type { Action } from '#test/ledger/play/calls.ts';
import { isBalanced } from '#test/ledger/book.ts';
import type { Command, History } from '#test/ledger/play/command.ts';
import { PARTNERS } from '#test/ledger/play/commands.ts';
import { programReports } from '#test/ledger/reports.ts';
import { expectedReports, expectedExplanations } from '#test/ledger/expected-reports.ts';
import { programOf } from '#test/ledger/program.ts';
import { explanationsOf, webhookAndApiAmounts } from '#test/ledger/explanations.ts';
import { DAY, emptyState, monthOf, type State } from '#test/ledger/state.ts';

const CHECKED_EACH = 50;
/**
 * Maximum number of sales whose explanations are compared, because a token's rate limit allows no more requests at one
 * time.
 */
const MOST_EXPLAINED = 100;

const ordersOf = <T>(of: readonly T[]): T[][] =>
  of.length <= 1
    ? [[...of]]
    : of.flatMap((first, n) => ordersOf(of.toSpliced(n, 1)).map((others) => [first, ...others]));

/** What a history is played with. */
export interface Stage {
  readonly world: World;
  readonly pump: FactPump;
}

/** The error if the service and the ledger differ. `step` is the number of the command. */
class Difference extends Error {
  readonly step: number;

  constructor(step: number, cause: unknown) {
    super((cause as Error).message, { cause });
    this.step = step;
  }
}

/**
 * Plays the first commands of a history in the service and in the ledger. Compares every reply and, from time to time
 * and at the end, all reports. Calls that are made in parallel may have been executed in any order that explains the
 * replies.
 * @throws Difference
 */
async function play({ world, pump }: Stage, history: History, length: number): Promise<void> {
  const program = await programOf(world, history);
  let states = [emptyState(history.settings, history.terms, PARTNERS)];
  let now = NOW.getTime() + 8 * DAY;

  async function take(command: Exclude<Command, { do: 'wait' }>, step: number): Promise<void> {
    const commands = command.do === 'race' ? command.of : [command];
    const at = new Date(now);
    const actions = commands.map((one) => {
      // If a race contains the same sale several times, all of them have the same label.
      const label = `t${step}${commands.length > 1 ? `r${commands.indexOf(one)}` : ''}`;
      return actionOf(program, states[0]!, one, label, at);
    });
    const made = actions.filter((action) => action !== undefined);
    if (made.length === 0) return;
    const answers = await Promise.all(made.map(({ call }) => call()));
    const courses = ordersOf(made.keys().toArray()).flatMap((order) =>
      states.map((state) => course(state, made, order)),
    );
    const fitting = courses.filter(({ expected }) => isDeepStrictEqual(plain(answers), plain(expected)));
    if (fitting.length === 0) {
      expect({ command, answers: plain(answers) }).toEqual({ command, answers: plain(courses[0]!.expected) });
    }
    states = distinct(fitting.map(({ state }) => state));
  }

  async function check(): Promise<void> {
    await counted(world);
    // Rate limits count by the minute, so the next command is in a new minute.
    now = Math.ceil((now + 1000) / 60_000) * 60_000;
    const at = new Date(now);
    const doors = plain(await programReports(program, states[0]!, at));
    const fitting = states.filter((state) => isDeepStrictEqual(doors, plain(expectedReports(state, now))));
    if (fitting.length === 0) expect(doors).toEqual(plain(expectedReports(states[0]!, now)));
    states = fitting;
    expect(isBalanced(states[0]!.book)).toBe(true);
    const ids = states[0]!.sales.slice(-MOST_EXPLAINED).map(({ id }) => id);
    expect(plain(await explanationsOf(program, ids, at))).toEqual(plain(expectedExplanations(states[0]!, ids, now)));
    await pump.run(at);
    const { shown, told } = await webhookAndApiAmounts(world, program, at);
    expect(told).toEqual(shown);
    now += 60_000;
  }

  let step = 0;
  try {
    for (const command of history.commands.slice(0, length)) {
      now += 1000;
      if (command.do === 'wait') {
        await pump.run(new Date(now));
        const before = monthOf(now);
        now += command.seconds * 1000;
        if (monthOf(now) !== before) await counted(world);
      } else await take(command, step);
      step += 1;
      if (step % CHECKED_EACH === 0) await check();
    }
    await check();
  } catch (error) {
    throw new Difference(step, error);
  }
}

function course(from: State, made: readonly Action[], order: readonly number[]) {
  const state = structuredClone(from);
  const expected: unknown[] = [];
  for (const n of order) expected[n] = made[n]!.act(state);
  return { state, expected };
}

/** Converts a value to what remains of it as JSON, in which undefined is absent. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

function distinct(states: readonly State[]): State[] {
  const byText = new Map(states.map((state) => [JSON.stringify(state), state]));
  return [...byText.values()];
}

/**
 * Plays a history. If service and ledger differ, finds the shortest beginning of the history that shows a difference.
 */
export async function expectAgreement(stage: Stage, history: History): Promise<void> {
  const found = await differenceIn(stage, history, history.commands.length);
  if (!found) return;
  const [length, shortest] = await shortestDiffering(stage, history, found);
  const first = history.commands.slice(0, length).map((command, n) => `${n}: ${JSON.stringify(command)}`);
  const told = [
    `Seed ${history.seed} differs at step ${found.step}; its first ${length} commands differ, too:`,
    JSON.stringify(history.settings),
    JSON.stringify(history.terms),
    ...first,
    shortest.message,
  ];
  throw new Error(told.join('\n'), { cause: shortest.cause });
}

const differenceIn = (stage: Stage, history: History, length: number): Promise<Difference | undefined> =>
  play(stage, history, length).then(
    () => undefined,
    (error: unknown) => error as Difference,
  );

async function shortestDiffering(stage: Stage, history: History, found: Difference): Promise<[number, Difference]> {
  let [agreeing, differing, shortest] = [0, Math.min(history.commands.length, found.step + 1), found];
  while (differing - agreeing > 1) {
    const middle = Math.floor((agreeing + differing) / 2);
    const difference = await differenceIn(stage, history, middle);
    if (difference) [differing, shortest] = [middle, difference];
    else agreeing = middle;
  }
  return [differing, shortest];
}
