import { expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { MOST_WRITES } from '#lib/service/ground/table/writes.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { paid, visitor } from '#test/support/payments/payers.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { deliver, openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld } from '#test/support/programs/world.ts';

openProcessor();

it('a payment with the largest possible number of ids and waiting disputes is recorded in one transaction', async () => {
  const world = await openWorld();
  const { brand, id, metadata } = await visitor(world);
  const programId = brand.program.id;
  const disputes = Array.from({ length: 20 }, (_, n) => ({ disputeId: `dp_${n}`, amountCents: 100 }));
  const waiting = disputes.flatMap((dispute) => ['disputeOpened', 'disputeWon'].map((kind) => ({ kind, ...dispute })));
  const linked = Array.from({ length: 60 }, (_, n) => `ch_${n}`);
  const expires = { expires_at: Date.parse('2030-01-01T00:00:00Z') / 1_000 };
  await world.replace({ ...keys.payment(programId, `pi_${id}`), waiting, linked, version: 1, ...expires });
  // The payer refers to a customer that no longer exists.
  await world.replace({ ...keys.payer(programId, `cus_${id}`), clickId: 'clk_gone' });

  const calls = await sentCalls(() => deliver(brand, paid(id, { metadata, customer: `cus_${id}` })));
  const booking = calls.findLast(({ name }) => name === 'TransactWriteCommand')!;
  // Two more writes would move a key that a browser claimed for another customer.
  expect(booking.input.TransactItems).toHaveLength(MOST_WRITES - 2);
  expect((await saleItems(world, `cs_${id}`)).refunds).toHaveLength(40);
  await expectNothingHalfWritten(world);
});
