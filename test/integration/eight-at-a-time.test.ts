import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Refusal } from '#lib/service/ground/values/refusals.ts';
import { everyNth } from '#test/support/cases/cases.ts';
import { EIGHT, type EightAtATime } from '#test/integration/eight-at-a-time/case.ts';
import { moneyActs } from '#test/integration/eight-at-a-time/money.ts';
import { operatorsActs } from '#test/integration/eight-at-a-time/operators.ts';
import { ownersActs } from '#test/integration/eight-at-a-time/owners.ts';
import { peoplesActs } from '#test/integration/eight-at-a-time/people.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests each use of the retry by eight parallel requests: all get a documented reply, and the result equals that of
// sequential requests.

openProcessor();

const world = openedWorld();

/** Runs an action. @returns the status of its reply, or the result of a use case called without a request */
async function answerOf(act: () => Promise<unknown>): Promise<string> {
  try {
    const answer = await act();
    return answer instanceof Object && 'headers' in answer && 'status' in answer ? String(answer.status) : 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.kind;
    throw error;
  }
}

/** Repeats an action as a real caller would: if attempts take seconds, it is asked to retry later. */
async function lastAnswerOf(act: () => Promise<unknown>): Promise<string> {
  const answer = await answerOf(act);
  return answer === '429' || answer === 'tooMany' ? answerOf(act) : answer;
}

const countOf = (answers: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, (answer) => answer)].map(([answer, all]) => [answer, all.length]));

const acts: Readonly<Record<string, EightAtATime>> = { ...ownersActs, ...moneyActs, ...peoplesActs, ...operatorsActs };

describe('eight parallel requests for the same action', () => {
  for (const [index, [name, { open, answers, left }]] of Object.entries(acts).entries()) {
    it(`get the expected replies and leave the expected items: ${name}`, everyNth(2, index), async () => {
      const opened = await open(world);
      expect(countOf(await Promise.all(EIGHT.map((at) => lastAnswerOf(() => opened.act(at)))))).toEqual(answers);
      expect(await opened.left()).toEqual(left);
    });
  }
});

it('every action that retries after a conflict is tested with eight parallel requests', () => {
  const retrying = globSync('lib/service/**/*.ts')
    .filter((file) => readFileSync(file, 'utf8').includes('/retry-on-conflict.ts'))
    .map((file) => basename(file, '.ts'));
  expect([...new Set(Object.values(acts).flatMap(({ uses }) => uses))].toSorted()).toEqual(retrying.toSorted());
});
