import { beforeAll, describe, expect, it } from 'vitest';
import { handler as testEvent } from '#functions/cli/test-event.ts';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { portal } from '#test/support/callers/portal.ts';
import { send } from '#test/support/callers/request.ts';

// Sends values with so many levels that a function which calls itself for each level exceeds the stack.

const world = openedWorld();
let own: OwnedBrand;
let token: string;
beforeAll(async () => {
  own = await ownedBrand(world);
  ({ token } = await ownerOfBrand(world, own));
});

const nested = ['['.repeat(60_000) + ']'.repeat(60_000), '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)];
const bodies = (before: string, after: string) => nested.map((value) => before + value + after);

describe('a value with thousands of levels is refused with 400', () => {
  it.each([
    ['currency', 'USD'],
    ['join', 'closed'],
  ])('in the field %s of a program', async (field) => {
    for (const body of bodies(`{"${field}":`, '}')) {
      const { status, body: answer } = await own.owner.patch(own.path, body);
      expect(status).toBe(400);
      expect(answer.error.message).toMatch(new RegExp(`^Invalid ${field}: of this depth\\. Valid: `));
    }
  });

  it('in the role of a member, the events of a webhook and the filters of a payout', async () => {
    for (const value of nested) {
      const replies = [
        await own.owner.post('/workspace/members', `{"email":"kim@people.test","role":${value}}`),
        await own.owner.post(`${own.path}/webhooks`, `{"url":"https://hooks.example.com/","events":[${value}]}`),
        await own.owner.post(`${own.path}/payouts/preview`, `{"currency":${value}}`),
        await own.owner.post(`${own.path}/payouts/preview`, `{"method":${value}}`),
      ];
      for (const { status, body } of replies) {
        expect(status).toBe(400);
        expect(body.error.message).toMatch(/^Invalid \w+: of this depth\. Valid: /);
      }
    }
  });

  it('in the method of payout details, and in what a terminal and an agent send', async () => {
    const key = await agentKeyOf(world, own);
    for (const value of nested) {
      const replies = [
        await portal(token).put('/payout-details', `{"method":${value}}`),
        await agent(key).update(own.program.id, `{"commission_type":${value}}`),
        await send(testEvent, { key: own.key, body: `{"event_type":${value}}` }),
      ];
      for (const { status, body } of replies) {
        expect(status).toBe(400);
        expect(body.error.message).toMatch(/^Invalid \w+: of this depth\. Valid: /);
      }
    }
  });

  it('in the values that the caller says to have read', async () => {
    const refused = platformError(400, 'seen must be an object');
    for (const body of bodies('{"name":"Better","seen":{"name":', '}}')) {
      for (const url of [own.path, '/workspace/payer', `${own.path}/partners/${own.partner.id}`]) {
        const { status, body: answer } = await own.owner.patch(url, body);
        expect({ status, answer }).toEqual({ status: 400, answer: refused });
      }
    }
    expect((await own.owner.get(own.path)).body.data.name).toBe(own.program.name);
  });
});

it('values of the depth that replies have are compared as before', async () => {
  const tiers = [{ from_sales: 5, rate: 25 }];
  expect((await own.owner.patch(own.path, { tiers })).status).toBe(200);
  expect((await own.owner.patch(own.path, { tiers: [], seen: { tiers: [] } })).status).toBe(409);
  expect((await own.owner.patch(own.path, { tiers: [], seen: { tiers } })).status).toBe(200);
});
