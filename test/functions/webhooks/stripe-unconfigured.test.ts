import { beforeAll, describe, expect, it } from 'vitest';
import { handler as platform } from '#functions/webhooks/stripe/platform.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { signed, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
beforeAll(async () => {
  delete process.env.STRIPE_WEBHOOK_SECRET;
  world = await openWorld();
});

describe('an installation without its own Stripe account', () => {
  it.each(['undefined', 'null', ' '])(
    'refuses an event at the platform’s endpoint, even if it is signed with the secret %j',
    async (secret) => {
      const event = stripeEvent('account.updated', {}, { account: 'acct_1' });
      const reply = await send(platform, signed(event, secret));
      expect([reply.status, reply.body]).toEqual([400, platformError(400, 'Invalid signature')]);
    },
  );

  it('refuses to connect a program’s Stripe account, and advises the owner to add a separate webhook endpoint for the program', async () => {
    const brand = await world.brand();
    const { token } = await ownerOfBrand(world, brand);
    const reply = await dashboard(token).post(`/programs/${brand.program.id}/processor/connect`);
    expect([reply.status, reply.body]).toEqual([
      409,
      platformError(409, 'Stripe Connect is not configured on this installation. Use a direct endpoint instead.'),
    ]);
  });
});
