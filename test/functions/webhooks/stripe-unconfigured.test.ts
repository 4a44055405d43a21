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

describe('an installation that has no account on the card processor', () => {
  it.each(['undefined', 'null', ' '])('takes no event of the platform, signed with %j', async (secret) => {
    const event = stripeEvent('account.updated', {}, { account: 'acct_1' });
    const reply = await send(platform, signed(event, secret));
    expect([reply.status, reply.body]).toEqual([400, platformError(400, 'Invalid signature')]);
  });

  it('answers an owner who wants to connect it that a direct endpoint is the way', async () => {
    const brand = await world.brand();
    const { token } = await ownerOfBrand(world, brand);
    const reply = await dashboard(token).post(`/programs/${brand.program.id}/processor/connect`);
    expect([reply.status, reply.body]).toEqual([
      409,
      platformError(409, 'Stripe Connect is not configured on this installation. Use a direct endpoint instead.'),
    ]);
  });
});
