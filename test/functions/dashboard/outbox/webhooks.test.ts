import { describe, expect, it } from 'vitest';
import { factTypes } from '#lib/service/outbox/facts/fact.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { open } from '#lib/service/ground/effects/vault.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { failingAt, refused, replyLost } from '#test/support/table/faults.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { endpointOf, shownEndpoint, WEBHOOK_URL } from '#test/support/outbox/webhooks.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();

const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const stored = async ({ program }: OwnedBrand) =>
  (await world.deps().table.get<Record<string, unknown>>(factKeys.webhooks(program.id))) as {
    version: number;
    endpoints: Record<string, unknown>[];
  };
const workOf = (id: number) => world.deps().table.get(factKeys.webhookWork(id));
const audited = async ({ owner }: OwnedBrand): Promise<AuditEntry[]> => (await owner.get('/workspace/audit')).body.data;
const actsOf = async (own: OwnedBrand, action: string) => (await audited(own)).filter((row) => row.action === action);
/** Sets health values, which only the sender sets. */
const becomes = async (own: OwnedBrand, health: object) => {
  const { endpoints } = await stored(own);
  await world.deps().table.update(factKeys.webhooks(own.program.id), {
    set: { endpoints: endpoints.map((one) => ({ ...one, ...health })) },
  });
};

describe('POST /programs/{id}/webhooks', () => {
  it('creates an endpoint, returns its secret once and stores the secret encrypted', async () => {
    const own = await ownedBrand(world);
    const reply = await own.owner.post(`${own.path}/webhooks`, {
      url: 'HTTPS://Hooks.Brand.com:443/referrals#top',
      events: ['sale.recorded', 'click.recorded'],
      description: 'Billing',
    });
    const shown = shownEndpoint({ events: ['sale.recorded', 'click.recorded'], description: 'Billing' });
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(reply).toEqual(dataReply({ ...shown, secret }));
    const { id } = reply.body.data;
    const sealed = expect.any(String);
    expect(await stored(own)).toEqual({
      ...factKeys.webhooks(own.program.id),
      programId: own.program.id,
      version: 1,
      endpoints: [
        {
          id,
          url: WEBHOOK_URL,
          description: 'Billing',
          events: ['sale.recorded', 'click.recorded'],
          status: 'active',
          secrets: [{ sealed }],
          createdAt: NOW.toISOString(),
        },
      ],
    });
    const [{ secrets }] = (await stored(own)).endpoints as unknown as [{ secrets: { sealed: string }[] }];
    expect(secrets[0]!.sealed).not.toContain(reply.body.data.secret.slice(6, 20));
    const owner = { programId: own.program.id };
    expect(await open(world.deps(), secrets[0]!.sealed, owner)).toBe(reply.body.data.secret);
    expect(await audited(own)).toMatchObject([
      {
        action: 'webhook.created',
        target: { type: 'webhook', id: String(id), name: WEBHOOK_URL, program_id: own.program.id },
        changes: {
          url: { from: null, to: WEBHOOK_URL },
          events: { from: null, to: ['sale.recorded', 'click.recorded'] },
          description: { from: null, to: 'Billing' },
        },
      },
    ]);
    expect(JSON.stringify(await audited(own))).not.toContain('whsec_');
  });

  it('accepts every event type except endpoint.test; an endpoint without a list gets all types except clicks', async () => {
    const own = await ownedBrand(world);
    const all = ['*', 'click.recorded', 'lead.recorded', 'payout.created', 'key.rotation_due'];
    expect((await endpointOf(own, { events: all })).shown).toEqual(shownEndpoint({ events: all }));
    const none = { events: null, description: null };
    expect((await endpointOf(own, none)).shown).toEqual(shownEndpoint());
    expect((await endpointOf(own, { description: 'ü'.repeat(200) })).shown.description).toHaveLength(200);
  });

  const validNames = `Valid: *, ${factTypes.filter((type) => type !== 'endpoint.test').join(', ')}`;
  const address = 'url must be an https address of a public host, on port 443 or above 1023, without user and password';
  const list = 'events must be a list of one or more event names, each of them once';
  const text = 'description must be a string of at most 200 characters';
  it.each<[object, string]>([
    [{ url: undefined }, 'Missing required fields: url'],
    [{ url: null, events: 'x' }, 'Missing required fields: url'],
    // Addresses that are not public are tested in test/rules/ground/addresses/webhook-address.
    ...[7, '', 'http://hooks.brand.com/', 'https://127.0.0.1/', 'https://track.test/api/v1/track/click'].map(
      (url): [object, string] => [{ url, events: 'x' }, address],
    ),
    [{ events: '*' }, list],
    [{ events: [] }, list],
    [{ events: ['*', '*'] }, list],
    [{ events: ['sale.recorded', 'lead.recorded', 'sale.recorded'] }, list],
    [{ events: ['sale.made'] }, `Invalid event: sale.made. ${validNames}`],
    [{ events: ['endpoint.test'] }, `Invalid event: endpoint.test. ${validNames}`],
    [{ events: [7], description: 7 }, `Invalid event: 7. ${validNames}`],
    [{ description: 7 }, text],
    [{ description: 'x'.repeat(201) }, text],
  ])('is answered 400 for the body %j', async (fields, message) => {
    const own = await ownedBrand(world);
    const { status, body } = await own.owner.post(`${own.path}/webhooks`, { url: WEBHOOK_URL, ...fields });
    expect({ status, body }).toEqual(refusal(400, message));
    expect(await stored(own)).toBeUndefined();
  });

  it('is answered 409 for the eleventh endpoint of a program, even if requests are parallel', async () => {
    const own = await ownedBrand(world);
    for (let count = 1; count <= 8; count++) await endpointOf(own);
    const racing = await Promise.all(
      [1, 2, 3, 4].map(() => own.owner.post(`${own.path}/webhooks`, { url: WEBHOOK_URL })),
    );
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(racing.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(racing.find(({ status }) => status === 409)?.body).toEqual(
      platformError(409, 'A program has at most 10 webhook endpoints'),
    );
    expect((await stored(own)).endpoints).toHaveLength(10);
    expect((await audited(own)).map(({ action }) => action)).toEqual(
      Array.from({ length: 10 }, () => 'webhook.created'),
    );
  });
});

/** Whether a call is not the rate-limit count of the request. */
const isNoCount = ({ input }: SentCall) =>
  !String((input.Key as { pk?: string } | undefined)?.pk).startsWith('WINDOW#');

it('creating a webhook endpoint stores nothing if a table call fails; if only the last reply is lost, the endpoint exists', async () => {
  const own = await ownedBrand(world);
  const first = await endpointOf(own);
  const create = () => own.owner.post(`${own.path}/webhooks`, { url: WEBHOOK_URL });
  const calls = (await sentCalls(create)).filter(isNoCount);
  const before = await stored(own);
  for (let at = 1; at <= calls.length; at++) {
    expect((await failingAt(at, refused('InternalServerError'), create)).status).toBe(500);
    expect(await stored(own)).toEqual(before);
  }
  expect((await failingAt(calls.length, replyLost, create)).status).toBe(500);
  expect((await own.owner.get(`${own.path}/webhooks`)).body.data).toEqual([
    first.shown,
    shownEndpoint(),
    shownEndpoint(),
  ]);
});

describe('a program’s webhook endpoints', () => {
  it('are listed oldest first and can be read one by one, by owners and members, without their secrets', async () => {
    const own = await ownedBrand(world);
    const [first, second] = [await endpointOf(own), await endpointOf(own, { events: ['lead.settled'] })];
    expect(await everyPage(own.owner, `${own.path}/webhooks?limit=1`)).toEqual([[first.shown], [second.shown]]);
    const { workspace } = await ownerOfBrand(world, own);
    const member = dashboard((await memberOf(world, workspace)).token);
    expect((await member.get(`${own.path}/webhooks`)).body).toEqual({
      data: [first.shown, second.shown],
      meta: { next_cursor: null },
    });
    expect(await member.get(second.path)).toEqual(dataReply(second.shown, 2));
    expect((await (await ownedBrand(world)).owner.get(`${own.path}/webhooks`)).status).toBe(404);
  });

  it('are not found by the routes of another program: 404 “Webhook endpoint not found”', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    const { id } = await endpointOf(other);
    const days = { from: '2026-11-01', to: '2026-11-02' };
    const delivery = 'deliveries/dlv_1';
    for (const name of [String(id), '1', '0', 'x', '-1', '9'.repeat(30)]) {
      const path = `${own.path}/webhooks/${name}`;
      const { owner } = own;
      for (const reply of [
        await owner.get(path),
        await owner.patch(path, { status: 'paused' }),
        await owner.delete(path),
        await owner.post(`${path}/secret`),
        await owner.post(`${path}/test`),
        await owner.get(`${path}/deliveries`),
        await owner.post(`${path}/${delivery}/replay`),
        await owner.post(`${path}/replay`, days),
      ]) {
        expect(reply.body).toEqual(platformError(404, 'Webhook endpoint not found'));
      }
    }
    expect((await stored(other)).version).toBe(1);
  });
});

describe('PATCH /programs/{id}/webhooks/{endpoint_id}', () => {
  it('changes only the fields that the request contains, and writes an audit entry about them', async () => {
    const own = await ownedBrand(world);
    const { path, shown, id } = await endpointOf(own);
    const url = 'https://hooks.brand.com/new';
    const changed = await own.owner.patch(path, { url, events: ['sale.recorded'], description: 'New' });
    const after = { ...shown, url, events: ['sale.recorded'], description: 'New' };
    expect(changed).toEqual(dataReply(after, 2));
    expect((await own.owner.patch(path, { description: '' })).body.data).toEqual({ ...after, description: '' });
    expect((await own.owner.get(path)).body.data).toEqual({ ...after, description: '' });
    expect((await actsOf(own, 'webhook.changed')).map(({ changes }) => changes)).toEqual(
      expect.arrayContaining([
        {
          url: { from: WEBHOOK_URL, to: url },
          events: { from: ['*'], to: ['sale.recorded'] },
          description: { from: '', to: 'New' },
        },
        { description: { from: 'New', to: '' } },
      ]),
    );
    expect(await audited(own)).toHaveLength(3);
    expect(await workOf(id)).toBeUndefined();
  });

  it('wakes the sender each time a request sets an endpoint active, even if it is active already', async () => {
    const own = await ownedBrand(world);
    const { path, shown, id } = await endpointOf(own);
    expect((await own.owner.patch(path, { status: 'paused' })).body.data).toEqual({ ...shown, status: 'paused' });
    expect(await workOf(id)).toBeUndefined();
    expect((await own.owner.patch(path, { status: 'active' })).body.data).toEqual(shown);
    await own.owner.patch(path, { status: 'active' });
    expect(await workOf(id)).toMatchObject({ endpointId: id, programId: own.program.id, wakes: 2 });
    // The last request changed nothing, so it added no row.
    expect(await audited(own)).toHaveLength(3);
  });

  it.each([
    [{ status: 'active' }, { status: 'active', disabled_reason: null, failing_since: null }],
    [{ status: 'paused' }, { status: 'paused', disabled_reason: null, failing_since: null }],
    [
      { url: 'https://hooks.brand.com/new' },
      {
        url: 'https://hooks.brand.com/new',
        status: 'disabled',
        disabled_reason: 'It answered 410',
        failing_since: null,
      },
    ],
    [
      { description: 'Old' },
      {
        description: 'Old',
        status: 'disabled',
        disabled_reason: 'It answered 410',
        failing_since: NOW.toISOString(),
      },
    ],
  ])('changes a disabled endpoint with %j', async (change, outcome) => {
    const own = await ownedBrand(world);
    const { path, shown } = await endpointOf(own);
    const health = { status: 'disabled', disabledReason: 'It answered 410', failingSince: NOW.toISOString() };
    await becomes(own, health);
    expect((await own.owner.patch(path, change)).body.data).toEqual({ ...shown, ...outcome });
    expect((await own.owner.get(path)).body.data).toEqual({ ...shown, ...outcome });
  });

  it.each([
    [{}, 'Nothing to change. Send at least one of: url, events, description, status'],
    [{ url: null, unknown: 1 }, 'Nothing to change. Send at least one of: url, events, description, status'],
    [
      { url: 'https://10.0.0.1/', status: 'x' },
      'url must be an https address of a public host, on port 443 or above 1023, without user and password',
    ],
    [{ events: [] }, 'events must be a list of one or more event names, each of them once'],
    [{ status: 'disabled' }, 'Invalid status: disabled. Valid: active, paused'],
  ])('is answered 400 for the body %j', async (change, message) => {
    const own = await ownedBrand(world);
    const { path } = await endpointOf(own);
    expect((await own.owner.patch(path, change)).body).toEqual(platformError(400, message));
    expect((await stored(own)).version).toBe(1);
  });

  it('keeps both changes if two requests run in parallel', async () => {
    const own = await ownedBrand(world);
    const { path, shown } = await endpointOf(own);
    await Promise.all([
      own.owner.patch(path, { description: 'A' }),
      own.owner.patch(path, { events: ['sale.recorded'] }),
      endpointOf(own),
    ]);
    const after = { ...shown, description: 'A', events: ['sale.recorded'] };
    expect((await own.owner.get(path)).body.data).toEqual(after);
    expect(await stored(own)).toMatchObject({ version: 4, endpoints: [{}, {}] });
  });
});

describe('DELETE /programs/{id}/webhooks/{endpoint_id}', () => {
  it('deletes only the endpoint in the path', async () => {
    const own = await ownedBrand(world);
    const [first, second] = [await endpointOf(own), await endpointOf(own)];
    expect(await own.owner.delete(first.path)).toEqual(dataReply(first.shown, 3));
    expect((await own.owner.get(`${own.path}/webhooks`)).body.data).toEqual([second.shown]);
    expect((await own.owner.delete(first.path)).body).toEqual(platformError(404, 'Webhook endpoint not found'));
    expect(await actsOf(own, 'webhook.deleted')).toMatchObject([
      { target: { type: 'webhook', id: String(first.id), name: WEBHOOK_URL }, changes: {} },
    ]);
  });
});

describe('POST /programs/{id}/webhooks/{endpoint_id}/secret', () => {
  it('creates a new secret; for 24 hours deliveries are signed with the former secret too', async () => {
    const own = await ownedBrand(world);
    const { path, secret, shown } = await endpointOf(own);
    const reply = await own.owner.post(`${path}/secret`, undefined, { at: later(1) });
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) } },
    });
    expect(reply.body.data.secret).not.toBe(secret);
    const secretsOf = async () => {
      const [{ secrets }] = (await stored(own)).endpoints as unknown as [
        { secrets: { sealed: string; until?: string }[] },
      ];
      const { id: programId } = own.program;
      return Promise.all(
        secrets.map(async ({ sealed, until }) => [await open(world.deps(), sealed, { programId }), until]),
      );
    };
    const [second, ofFirst] = [reply.body.data.secret, later(25).toISOString()];
    expect(await secretsOf()).toEqual([
      [second, undefined],
      [secret, ofFirst],
    ]);
    // The second secret keeps its expiry, and the first one is not expired yet.
    const third = (await own.owner.post(`${path}/secret`, {}, { at: later(2) })).body.data.secret;
    expect(await secretsOf()).toEqual([
      [third, undefined],
      [second, later(26).toISOString()],
      [secret, ofFirst],
    ]);
    const fourth = (await own.owner.post(`${path}/secret`, {}, { at: later(25) })).body.data.secret;
    expect((await secretsOf()).map(([one]) => one)).toEqual([fourth, third, second]);
    for (let count = 1; count <= 4; count++) await own.owner.post(`${path}/secret`, {}, { at: later(25) });
    expect(await secretsOf()).toHaveLength(5);
    expect((await own.owner.get(path)).body.data).toEqual(shown);
    expect(await actsOf(own, 'webhook.secret_rolled')).toMatchObject(
      Array.from({ length: 7 }, () => ({ changes: {} })),
    );
    expect(JSON.stringify([await audited(own), await stored(own)])).not.toContain('whsec_');
  });
});
