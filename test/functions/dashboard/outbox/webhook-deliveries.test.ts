import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '#lib/service/outbox/sending/delivery.ts';
import { factTypes, type FactType } from '#lib/service/outbox/facts/fact.ts';
import { badRequest } from '#lib/service/ground/values/refusals.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import { addDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';
import { endpointOf as findEndpoint } from '#lib/service/outbox/webhooks/list-webhooks.ts';
import { replayRange } from '#lib/service/outbox/deliveries/replay-deliveries.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failingAt, refused as refusedBy, replyLost } from '#test/support/table/faults.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { endpointOf, factOf, WEBHOOK_URL } from '#test/support/outbox/webhooks.ts';
import { dataReply, factsReply, pageReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld({ hasFacts: true });

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const workOf = (id: number) => world.deps().table.get(factKeys.webhookWork(id));
const dueOf = async (id: number) => (await world.items(`DUE_DELIVERIES#${id}`)).map(({ sk }) => sk);
/** The audit rows except that of the creation. */
const acts = async ({ owner }: OwnedBrand) =>
  (await owner.get('/workspace/audit')).body.data.filter((row: AuditEntry) => row.action !== 'webhook.created');

const made = async (fields: object = {}) => {
  const own = await ownedBrand(world);
  return { own, endpoint: await endpointOf(own, fields) };
};
type Made = Awaited<ReturnType<typeof made>>;

const disable = async ({ own }: Made) => {
  const { endpoints } = (await world.deps().table.get<{ endpoints: object[] }>(factKeys.webhooks(own.program.id)))!;
  const disabled = endpoints.map((one) => ({ ...one, status: 'disabled', disabledReason: 'It answered 410' }));
  await world.deps().table.update(factKeys.webhooks(own.program.id), { set: { endpoints: disabled } });
};

/** Writes a delivery of a fact as the stream's consumer does. */
async function deliveryOf(
  scene: Made,
  type: FactType = 'sale.recorded',
  at = NOW,
  change: Partial<Delivery> = { status: 'pending' },
) {
  const { own, endpoint } = scene;
  const fact = await factOf(world, own, type, at);
  await addDelivery(world.deps(at).table, { endpointId: endpoint.id, fact, now: at });
  const id = fact.id.replace('evt_', 'dlv_');
  await world.deps().table.update(factKeys.delivery(endpoint.id, id), { set: { ...change } });
  const shown = {
    id,
    event_id: fact.id,
    event_type: type,
    status: 'pending',
    attempts: [],
    next_attempt_at: at.toISOString(),
    slowed: false,
    created_at: at.toISOString(),
  };
  return { fact, id, shown, path: `${endpoint.path}/deliveries/${id}/replay` };
}

const refused: Partial<Delivery> = {
  status: 'failed',
  nextAttemptAt: undefined,
  attempts: [
    { at: NOW.toISOString(), error: 'No answer within 15 seconds', durationMs: 15_000 },
    { at: NOW.toISOString(), statusCode: 500, durationMs: 80, response: 'Oops' },
  ],
};
const shownAttempts = [
  {
    at: NOW.toISOString(),
    status_code: null,
    error: 'No answer within 15 seconds',
    duration_ms: 15_000,
    response: null,
  },
  { at: NOW.toISOString(), status_code: 500, error: null, duration_ms: 80, response: 'Oops' },
];

describe('GET /programs/{id}/webhooks/{endpoint_id}/deliveries', () => {
  it('lists deliveries to owners and members, newest facts first, and filters by status', async () => {
    const scene = await made();
    const oldest = await deliveryOf(scene, 'sale.recorded', daysAgo(2), refused);
    const second = await deliveryOf(scene, 'lead.recorded', daysAgo(1));
    const newest = await deliveryOf(scene);
    const failed = { ...oldest.shown, status: 'failed', attempts: shownAttempts, next_attempt_at: null };
    const { own, endpoint } = scene;
    const url = `${endpoint.path}/deliveries`;
    expect(await everyPage(own.owner, `${url}?limit=2`)).toEqual([[newest.shown, second.shown], [failed]]);
    const { workspace } = await ownerOfBrand(world, own);
    const member = dashboard((await memberOf(world, workspace)).token);
    expect(await member.get(`${url}?status=failed`)).toEqual(pageReply([failed]));
    expect((await member.get(`${url}?status=delivered`)).body.data).toEqual([]);
    expect((await member.get(`${url}?status=lost`)).body).toEqual(
      platformError(400, 'Invalid status: lost. Valid: pending, delivered, failed'),
    );
    // A cursor is valid only for its endpoint and status.
    const { next_cursor: cursor } = (await member.get(`${url}?limit=1`)).body.meta;
    const other = await endpointOf(own);
    for (const wrong of [`${other.path}/deliveries?cursor=${cursor}`, `${url}?status=failed&cursor=${cursor}`]) {
      expect((await member.get(wrong)).body).toEqual(platformError(400, 'Invalid cursor'));
    }
  });

  it('replies with less than 6 MB, even if the endpoints’ stored responses are long', async () => {
    const scene = await made();
    const attempts = Array.from({ length: 20 }, () => ({
      at: NOW.toISOString(),
      statusCode: 500,
      durationMs: 1,
      response: '\u0001'.repeat(1_024),
    }));
    for (let count = 1; count <= 27; count++) await deliveryOf(scene, 'sale.recorded', NOW, { attempts });
    const { body } = await scene.own.owner.get(`${scene.endpoint.path}/deliveries?limit=100`);
    expect(body.data).toHaveLength(25);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(5_000_000);
    const pages = await everyPage(scene.own.owner, `${scene.endpoint.path}/deliveries?limit=100`);
    expect(pages.map(({ length }) => length)).toEqual([25, 2]);
  });
});

describe('GET /programs/{id}/facts?id= with the event id of a delivery', () => {
  it('returns exactly the body that the delivery sends', async () => {
    const { own } = await made();
    const tested = await endpointOf(own);
    const { event_id: id } = (await own.owner.post(`${tested.path}/test`)).body.data;
    const row = {
      id,
      type: 'endpoint.test',
      timestamp: NOW.toISOString(),
      data: { program_id: own.program.id, is_test: true },
    };
    const facts = `${own.path}/facts`;
    expect(await own.owner.get(`${facts}?id=${id}`)).toEqual(factsReply([row], NOW.toISOString(), 4));
    const at = NOW.toISOString();
    expect((await own.owner.get(`${facts}?id=${id}&type=endpoint.test&since=${at}`)).body.data).toEqual([row]);
    const other = await ownedBrand(world);
    for (const none of [
      await own.owner.get(`${facts}?id=${id}&type=sale.recorded`),
      await own.owner.get(`${facts}?id=${id}&since=${new Date(NOW.getTime() + 1).toISOString()}`),
      await other.owner.get(`${other.path}/facts?id=${id}`),
      await own.owner.get(`${facts}?id=`),
      await own.owner.get(`${facts}?id=evt_0`),
      await own.owner.get(`${facts}?id=evt_${'0'.repeat(2_000)}`),
    ]) {
      expect(none.body).toEqual(factsReply([], NOW.toISOString()).body);
    }
  });
});

describe('POST /programs/{id}/webhooks/{endpoint_id}/test', () => {
  it('sends a test event to this endpoint only, whichever event types it lists, for owners and members', async () => {
    const { own, endpoint } = await made({ events: ['sale.recorded'] });
    const other = await endpointOf(own);
    const { workspace } = await ownerOfBrand(world, own);
    const member = dashboard((await memberOf(world, workspace)).token);
    const reply = await member.post(`${endpoint.path}/test`, { event: 'sale.recorded' });
    const shown = {
      id: expect.stringMatching(/^dlv_/),
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'endpoint.test',
      status: 'pending',
      attempts: [],
      next_attempt_at: NOW.toISOString(),
      slowed: false,
      created_at: NOW.toISOString(),
    };
    expect(reply).toEqual(dataReply(shown));
    const { id, event_id: factId } = reply.body.data;
    expect(await world.items(`FACTS#${own.program.id}`)).toEqual([
      {
        ...factKeys.fact(own.program.id, factId),
        id: factId,
        type: 'endpoint.test',
        programId: own.program.id,
        isTest: true,
        timestamp: NOW.toISOString(),
        row: JSON.stringify({ program_id: own.program.id, is_test: true, event: 'sale.recorded' }),
        expires_at: NOW.getTime() / 1_000 + 30 * 86_400,
      },
    ]);
    expect(await dueOf(endpoint.id)).toEqual([`${NOW.toISOString()}#${id}`]);
    expect(await workOf(endpoint.id)).toMatchObject({ wakes: 1, nextAt: NOW.toISOString() });
    expect(await world.items(`DELIVERIES#${other.id}`)).toEqual([]);
    expect(await acts(own)).toMatchObject([
      {
        action: 'webhook.tested',
        target: { type: 'webhook', id: String(endpoint.id), name: WEBHOOK_URL },
        changes: { event: { from: null, to: 'sale.recorded' } },
      },
    ]);
    // A second test creates another fact.
    const again = (await own.owner.post(`${endpoint.path}/test`)).body.data;
    expect(again.event_id).not.toBe(factId);
    const [, second] = (await world.items(`FACTS#${own.program.id}`)).toSorted((one) => (one.id === factId ? -1 : 1));
    expect(second!.row).toBe(JSON.stringify({ program_id: own.program.id, is_test: true }));
    expect((await acts(own)).map(({ changes }: AuditEntry) => changes)).toContainEqual({});
  });

  it('is answered 400 for an unknown event type and 409 if the endpoint is disabled; a paused endpoint gets the test later', async () => {
    const scene = await made();
    const { own, endpoint } = scene;
    const { body } = await own.owner.post(`${endpoint.path}/test`, { event: '*' });
    const message = expect.stringMatching(/^Invalid event: \*\. Valid: click\.recorded, .*, endpoint\.test$/);
    expect(body).toEqual(platformError(400, message));
    await own.owner.patch(endpoint.path, { status: 'paused' });
    expect((await own.owner.post(`${endpoint.path}/test`, {})).status).toBe(200);
    await disable(scene);
    expect((await own.owner.post(`${endpoint.path}/test`, {})).body).toEqual(
      platformError(409, 'Webhook endpoint is disabled. Set it active first.'),
    );
    expect(await world.items(`DELIVERIES#${endpoint.id}`)).toHaveLength(1);
  });
});

describe('POST /programs/{id}/webhooks/{endpoint_id}/deliveries/{delivery_id}/replay', () => {
  it('makes a delivery due at once and keeps the attempts made before', async () => {
    const scene = await made();
    const { path, shown, id } = await deliveryOf(scene, 'sale.recorded', daysAgo(1), refused);
    const { own, endpoint } = scene;
    const reply = await own.owner.post(path);
    const queued = { ...shown, attempts: shownAttempts, next_attempt_at: NOW.toISOString() };
    expect(reply).toEqual(dataReply(queued, 2));
    expect((await own.owner.get(`${endpoint.path}/deliveries`)).body.data).toEqual([queued]);
    expect(await dueOf(endpoint.id)).toContain(`${NOW.toISOString()}#${id}`);
    expect(await workOf(endpoint.id)).toMatchObject({ wakes: 1, nextAt: NOW.toISOString() });
    expect(await acts(own)).toMatchObject([
      {
        action: 'webhook.replayed',
        changes: { delivery: { from: null, to: id } },
      },
    ]);
  });

  it('is answered 404 for an unknown delivery, another endpoint’s or one whose fact has expired, and 409 if the endpoint is disabled', async () => {
    const scene = await made();
    const { own, endpoint } = scene;
    const other = await endpointOf(own);
    const { id, path, fact } = await deliveryOf(scene);
    const names = ['dlv_0', 'dlv_', 'x', fact.id, '%20', 'dlv_%23', `dlv_${'0'.repeat(2_000)}`];
    for (const wrong of [
      `${other.path}/deliveries/${id}`,
      ...names.map((name) => `${endpoint.path}/deliveries/${name}`),
    ]) {
      expect((await own.owner.post(`${wrong}/replay`)).body).toEqual(platformError(404, 'Delivery not found'));
    }
    expect((await own.owner.post(path, '{')).body).toEqual(platformError(400, 'Invalid JSON body'));
    await removeItem(world.deps().table, factKeys.fact(own.program.id, fact.id));
    expect((await own.owner.post(path)).body).toEqual(
      platformError(404, 'Event not found. Events are kept for 30 days.'),
    );
    await disable(scene);
    expect((await own.owner.post(path)).body).toEqual(
      platformError(409, 'Webhook endpoint is disabled. Set it active first.'),
    );
    expect(await workOf(endpoint.id)).toBeUndefined();
    expect(await acts(own)).toEqual([]);
  });
});

const replay = ({ own, endpoint }: Made, body: object) => own.owner.post(`${endpoint.path}/replay`, body);

describe('POST /programs/{id}/webhooks/{endpoint_id}/replay, which sends the facts of a range of days again,', () => {
  const lastDays = { from: dayOf(daysAgo(30)), to: dayOf(NOW) };

  it('returns how many facts will be sent, including those from before the endpoint existed, and wakes the sender', async () => {
    const scene = await made({ events: ['*'] });
    const { own, endpoint } = scene;
    await factOf(world, own, 'sale.recorded', new Date('2026-11-10T00:00:00.000Z'));
    await factOf(world, own, 'lead.recorded', new Date('2026-11-11T23:59:59.999Z'));
    // The following facts do not count: a click, which the endpoint does not list, a test, an earlier and a later fact.
    await factOf(world, own, 'click.recorded', new Date('2026-11-10T12:00:00.000Z'));
    await factOf(world, own, 'endpoint.test', new Date('2026-11-10T12:00:00.000Z'));
    await factOf(world, own, 'sale.recorded', new Date('2026-11-09T23:59:59.999Z'));
    await factOf(world, own, 'sale.recorded', new Date('2026-11-12T00:00:00.000Z'));
    const range = { from: '2026-11-10', to: '2026-11-11' };
    expect(await replay(scene, range)).toEqual(dataReply({ queued: 2 }, 2));
    const between = { from: '2026-11-10T00:00:00.000Z', to: '2026-11-12T00:00:00.000Z' };
    expect(await world.items(`REPLAY#${endpoint.id}`)).toEqual([
      {
        ...factKeys.replay(endpoint.id),
        endpointId: endpoint.id,
        id: expect.any(String),
        ...between,
        expires_at: expect.any(Number),
      },
    ]);
    expect(await workOf(endpoint.id)).toMatchObject({ wakes: 1 });
    expect(await acts(own)).toMatchObject([
      {
        action: 'webhook.replayed',
        changes: { from: { from: null, to: '2026-11-10' }, to: { from: null, to: '2026-11-11' } },
      },
    ]);
    await world.deps().table.update(factKeys.replay(endpoint.id), { set: { expires_at: NOW.getTime() / 1_000 } });
    expect((await replay(scene, { ...range, event: 'sale.recorded' })).body.data).toEqual({ queued: 1 });
    expect(await world.items(`REPLAY#${endpoint.id}`)).toMatchObject([{ ...between, type: 'sale.recorded' }]);
  });

  it('queues nothing if no fact in the range is for this endpoint', async () => {
    const scene = await made({ events: ['sale.recorded'] });
    const { own, endpoint } = scene;
    await factOf(world, own, 'lead.recorded');
    for (const more of [{}, { event: 'lead.recorded' }, { event: 'endpoint.test' }]) {
      expect((await replay(scene, { ...lastDays, ...more })).body.data).toEqual({ queued: 0 });
    }
    expect(await world.items(`REPLAY#${endpoint.id}`)).toEqual([]);
    expect(await workOf(endpoint.id)).toBeUndefined();
    expect(await acts(own)).toEqual([]);
  });

  it('does not count expired facts, whether DynamoDB has removed them or not', async () => {
    const scene = await made();
    await factOf(world, scene.own, 'sale.recorded', new Date(daysAgo(30).getTime() - 1));
    await factOf(world, scene.own, 'sale.recorded', new Date(daysAgo(30).getTime() + 1));
    expect((await replay(scene, lastDays)).body.data).toEqual({ queued: 1 });
  });

  it('counts more facts than one query returns', async () => {
    const scene = await made();
    await Promise.all(Array.from({ length: 1_001 }, () => factOf(world, scene.own, 'sale.recorded')));
    expect((await replay(scene, lastDays)).body.data).toEqual({ queued: 1_001 });
  });

  it('accepts a range of 31 days, first and last day inclusive', async () => {
    const scene = await made();
    expect((await replay(scene, { from: '2026-10-21', to: '2026-11-20' })).status).toBe(200);
  });

  it.each<[object, string]>([
    [{}, 'Missing required fields: from, to'],
    [{ from: '2026-11-01', to: null }, 'Missing required fields: from, to'],
    [{ from: '2026-11-31', to: '2026-12-01' }, 'from must be a date (YYYY-MM-DD)'],
    [{ from: '2026-11-01', to: 20261101 }, 'to must be a date (YYYY-MM-DD)'],
    [{ from: '2026-11-01', to: '2026-11-02', event: 'sale' }, `Invalid event: sale. Valid: ${factTypes.join(', ')}`],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'from must not be after to'],
    [{ from: '2026-10-20', to: '2026-11-20' }, 'The range must not exceed 31 days'],
  ])('is answered 400 for the body %j', async (body, message) => {
    const scene = await made();
    expect((await replay(scene, body)).body).toEqual(platformError(400, message));
  });

  it('is answered 409 if the endpoint is disabled', async () => {
    const scene = await made();
    await factOf(world, scene.own, 'sale.recorded');
    await disable(scene);
    expect((await replay(scene, lastDays)).body).toEqual(
      platformError(409, 'Webhook endpoint is disabled. Set it active first.'),
    );
  });

  it('is answered 400 and sends nothing if the facts are too many to count within the request’s time', async () => {
    const { own, endpoint } = await made();
    await factOf(world, own, 'sale.recorded');
    const deps = requestDeps(NOW, 'test', { getRemainingTimeInMillis: () => 1_000 });
    if (!deps.deadline!.aborted) await once(deps.deadline!, 'abort');
    const found = await findEndpoint(world.deps(), own.program.id, endpoint.id);
    await expect(replayRange(deps, own.program, found, lastDays)).rejects.toEqual(
      badRequest('There are too many events in this range. Shorten it.'),
    );
    expect(await world.items(`REPLAY#${endpoint.id}`)).toEqual([]);
    // Any other error is rethrown.
    const broken = { ...world.deps(), table: deps.table };
    await expect(replayRange(broken, own.program, found, lastDays)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

/** Creates a paused endpoint with a delivery. */
const prepared = async () => {
  const scene = await made();
  const { path } = await deliveryOf(scene);
  await scene.own.owner.patch(scene.endpoint.path, { status: 'paused' });
  return { ...scene, path };
};

/** Whether a call is not the rate-limit count of the request. */
const isNoCount = ({ input }: SentCall) =>
  !String((input.Key as { pk?: string } | undefined)?.pk).startsWith('WINDOW#');

describe('a request about webhook deliveries during which one table call fails or loses its reply,', () => {
  const requests: Readonly<Record<string, (scene: Made & { readonly path: string }) => Promise<TestReply>>> = {
    'POST test': ({ own, endpoint }) => own.owner.post(`${endpoint.path}/test`),
    'POST replay of one': ({ own, path }) => own.owner.post(path),
    'POST replay of a day': (scene) => replay(scene, { from: dayOf(NOW), to: dayOf(NOW) }),
    'PATCH to active': ({ own, endpoint }) => own.owner.patch(endpoint.path, { status: 'active' }),
  };

  it.each(Object.entries(requests))(
    'such as %s, succeeds when it is sent again, and the sender is woken',
    async (_, request) => {
      const first = await prepared();
      const calls = (await sentCalls(() => request(first))).filter(isNoCount);
      for (const fault of [refusedBy('InternalServerError'), replyLost]) {
        for (let at = 1; at <= calls.length; at++) {
          const scene = await prepared();
          const failed = await failingAt(at, fault, () => request(scene));
          // If the reply to a put is lost, the repeated put finds its own item and succeeds.
          expect([200, 500]).toContain(failed.status);
          // A second replay is refused while the first one is queued.
          const isReplaying = (await world.items(`REPLAY#${scene.endpoint.id}`)).length > 0;
          expect((await request(scene)).status).toBe(isReplaying ? 409 : 200);
          const { id } = scene.endpoint;
          expect(await workOf(id)).toMatchObject({ nextAt: NOW.toISOString() });
          const pending = (await world.items(`DELIVERIES#${id}`)).map(
            (item) => `${String(item.nextAttemptAt)}#${String(item.id)}`,
          );
          expect(await dueOf(id)).toEqual(expect.arrayContaining(pending));
        }
      }
    },
  );
});
