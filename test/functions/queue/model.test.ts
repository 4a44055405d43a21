import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { queueDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { findReplay, replayWrite } from '#lib/service/outbox/webhooks/webhook-replays-items.ts';
import { fanOut } from '#lib/service/outbox/deliveries/fan-out.ts';
import { wakeEndpoint } from '#lib/service/outbox/deliveries/wake-endpoint.ts';
import { deliver, someFact } from '#test/support/outbox/deliveries.ts';
import { deliveryScene } from '#test/support/outbox/delivery-scene.ts';
import { dyingAt, failingNth } from '#test/support/table/each-call.ts';
import { failingAt, replyLost } from '#test/support/table/faults.ts';
import { NOW } from '#test/support/callers/request.ts';

// Tests that, in any sequence of events, a fact for an endpoint is eventually delivered, and nothing is left due.

const scene = deliveryScene();

/** The fault of an action, at one of its table calls. */
const anyTrouble = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('fails', 'answer lost', 'dies', 'dies after'), at: fc.nat(24) }),
  },
);

const anyStep = fc.oneof(
  fc.record({ does: fc.constant('publish'), count: fc.integer({ min: 1, max: 4 }), trouble: anyTrouble }),
  fc.record({ does: fc.constant('deliver'), senders: fc.integer({ min: 1, max: 2 }), trouble: anyTrouble }),
  fc.record({ does: fc.constantFrom('replay', 'replay one'), trouble: anyTrouble }),
  fc.record({ does: fc.constantFrom('pause', 'resume', 'derive again') }),
  fc.record({ does: fc.constant('answer'), statuses: fc.array(fc.constantFrom(200, 500, 503), { minLength: 1 }) }),
  fc.record({ does: fc.constant('wait'), seconds: fc.constantFrom(1, 10, 50, 600) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;
type Trouble = typeof anyTrouble extends fc.Arbitrary<infer One> ? One : never;

/** @returns whether the call was executed */
async function troubled(trouble: Trouble, run: () => Promise<unknown>): Promise<boolean> {
  let isDone = false;
  const noted = async () => {
    await run();
    isDone = true;
  };
  const n = (trouble?.at ?? 0) + 1;
  if (!trouble) await noted();
  else if (trouble.kind === 'fails') await failingNth(n, noted).catch(() => undefined);
  // The action may make fewer calls.
  else if (trouble.kind === 'answer lost') await failingAt(n, replyLost, noted).catch(() => undefined);
  else await dyingAt(n, trouble.kind === 'dies after', noted);
  return isDone;
}

class Life {
  readonly facts: Fact[] = [];
  #seconds = 0;

  get now(): Date {
    return new Date(NOW.getTime() + 1_000 * this.#seconds);
  }

  async take(step: Step): Promise<void> {
    const { endpoint, receiver } = scene;
    this.#seconds += 1;
    switch (step.does) {
      case 'publish': {
        const made = Array.from({ length: step.count }, () =>
          someFact(scene.brand, { timestamp: this.now.toISOString() }),
        );
        this.facts.push(...made);
        // If publishing failed, the facts are published again, as the stream delivers unprocessed records again.
        if (!(await troubled(step.trouble, () => this.#publish(made)))) await this.#publish(made);
        return;
      }
      case 'derive again':
        return this.#publish(this.facts.slice(-3));
      case 'deliver':
        await troubled(step.trouble, async () => {
          const senders = Array.from({ length: step.senders }, () => deliver(endpoint.target, this.now));
          // Waits for all senders, because a failure of one does not end the others.
          await Promise.allSettled(senders);
          await Promise.all(senders);
        });
        return;
      case 'replay':
        await troubled(step.trouble, () => this.#replay());
        return;
      case 'replay one':
        await troubled(step.trouble, () => this.#replayOne());
        return;
      case 'pause':
        return endpoint.change({ status: 'paused' });
      case 'resume':
        return this.resume();
      case 'answer': {
        const { statuses } = step;
        let answers = 0;
        receiver.answer((response) => response.writeHead(statuses[answers++ % statuses.length]!).end());
        return;
      }
      case 'wait':
        this.#seconds += step.seconds;
        await deliver(endpoint.target, this.now);
    }
  }

  async #publish(facts: readonly Fact[]): Promise<void> {
    const deps = scene.world.deps(this.now);
    await Promise.all(facts.map((fact) => storeFact(deps.table, fact)));
    await fanOut(deps, facts);
  }

  async #replay(): Promise<void> {
    const deps = scene.world.deps(this.now);
    const { id: endpointId, target } = scene.endpoint;
    // Only one replay of an endpoint may run at a time.
    if (await findReplay(deps.table, endpointId)) return;
    const range = { from: NOW.toISOString(), to: this.now.toISOString() };
    await deps.table.transact([replayWrite({ endpointId, id: `rpl_${this.#seconds}`, ...range }, this.now)]);
    await wakeEndpoint(deps, target);
  }

  async #replayOne(): Promise<void> {
    const fact = this.facts.at(-1);
    if (!fact) return;
    const deps = scene.world.deps(this.now);
    await queueDelivery(deps.table, { endpointId: scene.endpoint.id, fact, now: this.now });
    await wakeEndpoint(deps, scene.endpoint.target);
  }

  async resume(): Promise<void> {
    await scene.endpoint.change({ status: 'active' });
    await wakeEndpoint(scene.world.deps(this.now), scene.endpoint.target);
  }

  /** Runs the schedule until nothing is left to send. */
  async end(): Promise<void> {
    for (let runs = 0; ; runs++) {
      const work = await scene.endpoint.work();
      if (!work) return;
      if (runs > 50) throw new Error('The work comes to no end');
      const nextMs = Math.max(Date.parse(String(work.nextAt)), this.now.getTime() + 60_000);
      this.#seconds = Math.ceil((nextMs - NOW.getTime()) / 1_000);
      await deliver(scene.endpoint.target, this.now);
    }
  }
}

const sizes = [
  { lives: 'a few', numRuns: 5, tags: [] },
  { lives: 'many', numRuns: 75, tags: ['deep'] },
];

describe('after any sequence of failures, pauses and retries, every fact is eventually delivered to its webhook endpoint', () => {
  for (const { lives, numRuns, tags } of sizes) {
    it(`in ${lives} generated sequences`, { tags }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 14 }), async (steps) => {
          await scene.renew();
          const sent = new Set<string>();
          const life = new Life();
          for (const step of steps) {
            for (const { headers } of scene.receiver.received) sent.add(String(headers['webhook-id']));
            await life.take(step);
          }
          for (const { headers } of scene.receiver.received) sent.add(String(headers['webhook-id']));
          scene.receiver.answer();
          await life.resume();
          await life.end();
          for (const { headers } of scene.receiver.received) sent.add(String(headers['webhook-id']));
          const ids = life.facts.map(({ id }) => id).toSorted();
          expect([...sent].toSorted()).toEqual(ids);
          const deliveries = await scene.endpoint.deliveries();
          expect(deliveries.map(({ factId }) => factId)).toEqual(ids);
          expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
          expect(await scene.endpoint.due()).toEqual([]);
          expect(await scene.endpoint.replays()).toEqual([]);
        }),
        { numRuns },
      );
    });
  }
});
