import { beforeAll, expect, it } from 'vitest';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import { outbox, schedules } from '#infra/routes.ts';
import { HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { addEndpoint } from '#test/support/outbox/deliveries.ts';
import { type FactPump, factPump } from '#test/support/outbox/facts.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { actionsOf, type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import { allowLoopback } from '#test/support/outbox/webhook-receiver.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld({ hasFacts: true });
let pump: FactPump;
let own: OwnedBrand;
beforeAll(async () => {
  await allowLoopback();
  pump = await factPump(world);
  own = await ownedBrand(world);
  await addEndpoint(world, own, { url: 'https://hooks.brand.test/', events: ['*', 'click.recorded'] });
  await soldTo(own, 'customer', { transaction_id: 'in_1' });
});

const isOfEndpoint = ({ input }: SentCall): boolean => /DELIVERIES#|WEBHOOK_WORK/.test(JSON.stringify(input));

// Tests of permissions for facts; permissions for mails are tested with the mails.

it('the stream function that creates facts (webhook events) needs only its table permissions', async () => {
  const calls = await sentCalls(() => pump.run());
  expect(calls.filter(isOfEndpoint)).not.toEqual([]);
  expect(outbox.tableActions).toEqual(expect.arrayContaining(actionsOf(calls)));
  expect(calls.filter(({ input }) => input.IndexName !== undefined)).toEqual([]);
});

it('the scheduled function that creates facts (webhook events) needs only its table permissions', async () => {
  const calls = await sentCalls(() => schedule({ time: HOLD_OVER.toISOString() }));
  expect(calls.filter(isOfEndpoint)).not.toEqual([]);
  expect(actionsOf(calls)).toContain('DeleteItem');
  expect(schedules[0].tableActions).toEqual(expect.arrayContaining(actionsOf(calls)));
});
