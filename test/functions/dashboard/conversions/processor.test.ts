import { beforeEach, describe, expect, it } from 'vitest';
import { handler as status } from '#functions/cli/status.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { connected, openProcessor, RECEIVED, sendDirect, stripeEvent } from '#test/support/stripe/stripe.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { refusedReply, dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();

let brand: Brand;
let owner: Dashboard;
let path: string;
beforeEach(async () => {
  brand = await world.brand();
  const { token } = await ownerOfBrand(world, brand);
  owner = dashboard(token);
  path = `/programs/${brand.program.id}/processor`;
});

const AT = NOW.toISOString();
const later = (ms: number) => new Date(NOW.getTime() + ms);

const notConnected = () => ({
  connected: false,
  mode: null,
  account_id: null,
  charges_enabled: false,
  payouts_enabled: false,
  details_submitted: false,
  livemode: null,
  connected_at: null,
  webhook_url: `https://track.test/api/v1/webhooks/stripe/${brand.program.id}`,
  signing_secret_set: false,
  last_delivery: null,
  last_bad_signature_at: null,
});
const direct = () => ({
  ...notConnected(),
  connected: true,
  mode: 'direct',
  connected_at: AT,
  signing_secret_set: true,
});

const answered = (data: object, used = 1) => dataReply(data, used);

/** The reply to an event signed with this secret. */
const answerTo = async (secret: string, at: Date) =>
  (await sendDirect(brand.program.id, stripeEvent('customer.created', {}), { secret, at })).status;

describe('the routes of a program’s processor connection answer 200', () => {
  it('and GET shows that nothing is connected, and the URL to which Stripe can send events', async () => {
    expect(await owner.get(path)).toEqual(answered(notConnected()));
  });

  it('and PUT stores a signing secret, which no reply shows again', async () => {
    expect(await owner.put(path, { signing_secret: '  whsec_of_the_brand ' })).toEqual(answered(direct()));
    expect(await owner.get(path)).toEqual(answered(direct(), 2));
    const event = stripeEvent('customer.created', {});
    expect(await sendDirect(brand.program.id, event, { secret: 'whsec_of_the_brand' })).toEqual(RECEIVED);
    expect(JSON.stringify(await allItems(world))).not.toContain('whsec_of_the_brand');
  });

  it('and PUT replaces the signing secret: the former one stays valid for 24 hours, and the time of connection stays the same', async () => {
    await owner.put(path, { signing_secret: 'whsec_first' });
    const { body } = await owner.put(path, { signing_secret: 'whsec_second' }, { at: later(60_000) });
    expect(body.data).toEqual(direct());
    const end = later(60_000 + 86_400_000);
    expect([await answerTo('whsec_first', later(60_000)), await answerTo('whsec_first', end)]).toEqual([200, 400]);
    expect([await answerTo('whsec_second', later(60_000)), await answerTo('whsec_second', end)]).toEqual([200, 200]);
  });

  it('and GET shows a connected account with its flags, and whether the program’s own endpoint has a signing secret', async () => {
    await owner.put(path, { signing_secret: 'whsec_brand' });
    await connected(world, `acct_${brand.program.id}`, [brand]);
    const account = {
      mode: 'connect',
      account_id: `acct_${brand.program.id}`,
      charges_enabled: true,
      payouts_enabled: false,
      details_submitted: true,
      livemode: true,
      signing_secret_set: false,
    };
    expect((await owner.get(path)).body.data).toEqual({ ...direct(), ...account });
    expect((await owner.put(path, { signing_secret: 'whsec_brand' })).body.data).toEqual({
      ...direct(),
      ...account,
      signing_secret_set: true,
    });
  });

  it('and DELETE removes the account and the secret; the account’s other programs stay connected', async () => {
    const other = await world.brand();
    const accountId = `acct_${brand.program.id}`;
    await connected(world, accountId, [brand, other]);
    await owner.put(path, { signing_secret: 'whsec_brand' });
    expect(await owner.delete(path)).toEqual(answered(notConnected(), 2));
    expect(await owner.get(path)).toEqual(answered(notConnected(), 3));
    expect((await sendDirect(brand.program.id, stripeEvent('customer.created', {}))).status).toBe(400);
    expect(await world.items(keys.processorAccount(accountId).pk)).toMatchObject([{ programIds: [other.program.id] }]);
    const stranger = await ownerOfBrand(world, other);
    await dashboard(stranger.token).delete(`/programs/${other.program.id}/processor`);
    expect(await world.items(keys.processorAccount(accountId).pk)).toEqual([]);
  });

  it('and DELETE succeeds even if nothing is connected', async () => {
    const before = await world.items(keys.program(brand.program.id).pk);
    expect(await owner.delete(path)).toEqual(answered(notConnected()));
    expect(await world.items(keys.program(brand.program.id).pk)).toEqual(before);
  });

  it('and three secrets that are set in parallel are all valid', async () => {
    const secrets = ['whsec_a', 'whsec_b', 'whsec_c'];
    await Promise.all(secrets.map((signing_secret) => owner.put(path, { signing_secret })));
    for (const secret of secrets) {
      expect(await sendDirect(brand.program.id, stripeEvent('customer.created', {}), { secret })).toEqual(RECEIVED);
    }
  });
});

describe('PUT of the processor connection answers 400', () => {
  it.each<[unknown, string]>([
    [{}, 'Missing required fields: signing_secret'],
    [{ signing_secret: null }, 'Missing required fields: signing_secret'],
    [{ signing_secret: '' }, 'signing_secret must start with whsec_'],
    ...['whsec_', 'sk_live_1', 7, 'whsec_a\nb', `whsec_${'x'.repeat(250)}`].map((signing_secret): [unknown, string] => [
      { signing_secret },
      'signing_secret must start with whsec_',
    ]),
  ])('to the signing secret in %j', async (body, message) => {
    const reply = await owner.put(path, body);
    expect(reply).toEqual(refusedReply(400, message));
    expect((await owner.get(path)).body.data).toEqual(notConnected());
  });
});

const programField = async () => (await owner.get(`/programs/${brand.program.id}`)).body.data.processor;
const ofCli = async () => {
  const { body } = await send(status, { method: 'GET', key: brand.key });
  return [body.data.stripe_connected, body.data.stripe_charges_enabled];
};
const payoutGate = async () => {
  const { body } = await owner.get(`/programs/${brand.program.id}/readiness`, {});
  return body.data.gates.payout;
};

describe('the dashboard’s replies about a program’s processor', () => {
  it('show that none is connected', async () => {
    expect([await programField(), await ofCli()]).toEqual([{ connected: false, mode: null }, [false, false]]);
    expect(await payoutGate()).toMatchObject({ status: 'unknown', mode: 'manual' });
  });

  it('show that payments arrive at the program’s own endpoint, without a connected account', async () => {
    await owner.put(path, { signing_secret: 'whsec_brand' });
    expect([await programField(), await ofCli()]).toEqual([{ connected: true, mode: 'direct' }, [true, false]]);
    expect(await payoutGate()).toEqual({ status: 'pass', mode: 'stripe' });
  });

  it('show whether a connected account can accept charges', async () => {
    await connected(world, `acct_${brand.program.id}`, [brand]);
    expect([await programField(), await ofCli()]).toEqual([{ connected: true, mode: 'connect' }, [true, true]]);
    expect(await payoutGate()).toEqual({ status: 'pass', mode: 'stripe' });
  });

  it('show the connection in the list of programs as well', async () => {
    await owner.put(path, { signing_secret: 'whsec_brand' });
    const { body } = await owner.get('/programs');
    expect(body.data.map(({ processor }: { processor: unknown }) => processor)).toEqual([
      { connected: true, mode: 'direct' },
    ]);
  });
});
