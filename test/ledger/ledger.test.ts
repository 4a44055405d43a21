import { beforeAll, describe, expect, it } from 'vitest';
import { historyOf } from '#test/ledger/play/commands.ts';
import { expectAgreement, type Stage } from '#test/ledger/play/play.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { factPump } from '#test/support/outbox/facts.ts';
import { openWorld } from '#test/support/programs/world.ts';

// Tests the service against a second implementation, a ledger with double entries that was written from the documents
// alone. Both run the same random months of a program, and every reply and figure must be equal. `SEED=<seed>` runs
// only one history.

openProcessor();

let stage: Stage;
beforeAll(async () => {
  const world = await openWorld({ hasFacts: true });
  stage = { world, pump: await factPump(world) };
});

const seeds = (first: number, last: number): number[] =>
  process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: last - first + 1 }, (_, n) => first + n);

const agreement = (seed: number): Promise<void> => expectAgreement(stage, historyOf(seed));

describe('every amount that the service reports equals that of an independent second bookkeeping', () => {
  it.each(seeds(1, 1))('for the random history with seed %i', async (seed) => {
    await expect(agreement(seed)).resolves.toBeUndefined();
  });
  it.each(seeds(2, 8))('for the random history with seed %i', { tags: ['deep'], timeout: 600_000 }, async (seed) => {
    await expect(agreement(seed)).resolves.toBeUndefined();
  });
});
