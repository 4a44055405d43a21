import { expect, it } from 'vitest';
import { ownedBrand, type OwnedBrand } from '#test/support/programs/commissions.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { portal } from '#test/support/callers/portal.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted } from '#test/support/table/stream.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const paid = { status: 'paid', paidAt: NOW.toISOString(), paidOutCents: 100, payoutId: 1 } as const;

/** A partner with some settled commissions, ten waiting ones and a few customers. */
async function partnerWith(settled: number): Promise<OwnedBrand> {
  const own = await ownedBrand(world);
  await manyCommissions(world, own.program.id, own.partner.id, settled, (n) => `s ${own.program.id} ${n}`, paid);
  for (let n = 0; n < 10; n++) {
    const key = `u ${own.program.id} ${n}`;
    await signedUp(own, key);
    await sold(own, { transaction_id: key, customer_key: key });
  }
  return own;
}

const urls = [
  '/performance',
  '/balance',
  '/codes',
  '/customers?limit=5',
  '/commissions?limit=5',
  '/commissions?limit=5&status=pending',
  '/commissions?limit=5&status=paid',
  '/payouts',
];

/** The table calls of all the partner's pages, and their read units. */
async function costs(own: OwnedBrand) {
  const { token } = await ownerOfBrand(world, own);
  const found: Record<string, { calls: number; readUnits: number }> = {};
  for (const url of urls) {
    const as = `${url.includes('?') ? '&' : '?'}as=${own.partner.id}`;
    const calls = await sentCalls(async () => {
      expect((await portal(token).get(`${own.path}${url}${as}`)).status).toBe(200);
    });
    found[url] = { calls: calls.length, readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0) };
  }
  return found;
}

/** The costs for ten settled commissions, and for many. */
async function bothCosts(many: number) {
  const [few, lots] = [await partnerWith(10), await partnerWith(many)];
  await counted(world);
  return { few: await costs(few), lots: await costs(lots) };
}

it(
  'each page of the partner portal makes the same table calls with a thousand commissions as with ten',
  { tags: 'deep' },
  async () => {
    const { few, lots } = await bothCosts(1_000);
    expect(lots).toEqual(few);
  },
);

it(
  'each page of the partner portal makes the same table calls with ten thousand commissions as with ten',
  { tags: ['deep'], timeout: 300_000 },
  async () => {
    const { few, lots } = await bothCosts(10_000);
    expect(lots).toEqual(few);
  },
);
