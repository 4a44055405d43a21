import { expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { type Fetch, ReferralClient } from '#lib/apps/client/referral-client.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { leadOf } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests the recipe that loses no sign-up, at the service's rate limit.

interface User {
  readonly id: string;
  readonly clickId: string;
  readonly email: string;
}

interface Shop {
  readonly referrals: ReferralClient;
  readonly pending: () => Promise<readonly User[]>;
  readonly sent: (user: User) => Promise<void>;
}

interface Recipe {
  readonly sendPendingLeads: (shop: Shop) => Promise<{ readonly sent: number; readonly retryAfterSeconds: number }>;
}

// A recipe is plain JavaScript, to be copied.
const path = '../../../lib/apps/client/recipes/pending-leads.js';
const { sendPendingLeads } = (await import(path)) as Recipe;

const world = openedWorld();

it('45 sign-ups within a second become 45 confirmed leads within two minutes, despite the rate limit', async () => {
  const brand = await world.brand();
  const clickIds = await Promise.all(Array.from({ length: 45 }, () => clicked(brand)));
  const users = clickIds.map((clickId, at) => ({ id: `user_${at}`, clickId, email: `user${at}@people.test` }));
  const done = new Set<string>();
  let at = NOW;
  // All calls of the shop's server come from one address.
  const fetch: Fetch = async (_, { body }) => {
    const reply = await send(lead, { body, key: brand.key, at, ip: '203.0.113.9' });
    return {
      status: reply.status,
      headers: new Headers(reply.headers),
      text: async () => JSON.stringify(reply.body),
    };
  };
  const referrals = new ReferralClient({ apiKey: brand.key, baseUrl: 'https://track.test', fetch, timeoutMs: 1_000 });
  const shop = {
    referrals,
    pending: async () => users.filter(({ id }) => !done.has(id)),
    sent: async ({ id }: User) => void done.add(id),
  };
  const outcomes = [];
  for (const seconds of [0, 60, 120]) {
    at = new Date(NOW.getTime() + seconds * 1_000);
    outcomes.push(await sendPendingLeads(shop));
  }
  expect(outcomes).toEqual([
    { sent: 30, retryAfterSeconds: 60 },
    { sent: 15, retryAfterSeconds: 0 },
    { sent: 0, retryAfterSeconds: 0 },
  ]);
  const leads = await Promise.all(clickIds.map((clickId) => leadOf(world, clickId)));
  expect(leads.map((one) => one?.state)).toEqual(clickIds.map(() => 'settled'));
});
