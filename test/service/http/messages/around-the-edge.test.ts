import { beforeAll, describe, expect, it, vi } from 'vitest';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { handler as preflight } from '#functions/track/preflight.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { handler as webhook } from '#functions/webhooks/stripe/program.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { trustEdge } from '#lib/service/ground/counters/trust-edge.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { loadedFunction } from '#test/support/servers/functions.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { onReply, send } from '#test/support/callers/request.ts';
import { dependentTrips, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { directBrand, openProcessor, signed } from '#test/support/stripe/stripe.ts';
import { paid } from '#test/support/payments/payers.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// The setting of every deployed function, which is read at a function's first request.
vi.hoisted(() => {
  process.env.EDGE_ONLY = 'true';
});
// Replies at the API's own address are not part of the documented API.
onReply(async () => {});
openProcessor();

let world: World;
let brand: Brand;
let secret: string;
beforeAll(async () => {
  world = await openWorld();
  brand = await directBrand(world);
  secret = await trustEdge(world.deps());
});

const throughEdge = (by = secret) => ({ 'referral-viewer-address': '203.0.113.9', 'referral-edge-secret': by });
const closed = (code?: string) => ({
  data: null,
  error: {
    status: 403,
    name: 'ForbiddenError',
    message: 'This address takes no requests. Send them to https://track.test instead.',
    ...(code && { code }),
    details: {},
  },
});

let sales = 0;
/** A sale of an unknown customer: it is processed completely and writes only its rate-limit count. */
const saleOf = (headers: Readonly<Record<string, string>>) =>
  send(sale, {
    key: brand.key,
    headers,
    body: { transaction_id: `sale-${++sales}`, amount_cents: 4900, customer_key: 'unknown' },
  });

describe('a request that bypasses CloudFront, and so lacks the secret header,', () => {
  it.each(deployedFunctions)(
    'is refused by the function $name with 403, without a call to the table',
    async ({ name, routes }) => {
      const { handler } = (await loadedFunction(name)) as { handler: Handler };
      const [{ method, path } = { method: 'GET', path: '/nothing' }] = routes;
      const codes = ['track/sale', 'track/refund', 'track/stripe'].includes(name) ? 'forbidden' : undefined;
      const calls = await sentCalls(async () => {
        const reply = await send(handler, { method, path, key: brand.key, headers: { origin: 'https://acme.test' } });
        expect({ status: reply.status, body: reply.body }).toEqual({ status: 403, body: closed(codes) });
      });
      expect(calls).toEqual([]);
    },
  );

  it('is refused with 403 even if it is a preflight request', async () => {
    const reply = await send(preflight, { method: 'OPTIONS', headers: { origin: 'https://acme.test' } });
    expect(reply.status).toBe(403);
    expect(reply.headers).not.toHaveProperty('Access-Control-Allow-Origin');
  });
});

describe('a request with a wrong secret header', () => {
  it('is refused with 403; nothing is written except the count for the rate limit', async () => {
    const before = await allItems(world);
    const reply = await saleOf(throughEdge('x'.repeat(43)));
    expect(reply.body).toEqual(closed('forbidden'));
    const added = (await allItems(world)).length - before.length;
    expect(added).toBe(1);
  });

  it('is refused with 403 even if it is a correctly signed Stripe event', async () => {
    const event = signed(paid('around'), 'whsec_brand');
    const path = { pathParameters: { program_id: String(brand.program.id) } };
    const headers = { ...event.headers, ...throughEdge('x'.repeat(43)) };
    expect((await send(webhook, { ...event, ...path, headers })).body).toEqual(closed());
    const arrived = await send(webhook, { ...event, ...path, headers: { ...event.headers, ...throughEdge() } });
    expect(arrived).toMatchObject({ status: 200, body: { received: true } });
  });
});

describe('a request through CloudFront, with the right secret header,', () => {
  it('is answered, also if it is a preflight request', async () => {
    expect((await saleOf(throughEdge())).status).toBe(400);
    const asked = await send(preflight, { method: 'OPTIONS', headers: throughEdge() });
    expect(asked.status).toBe(204);
  });

  it('needs no additional round trip, and one more read unit if the secret is not cached', async () => {
    await saleOf(throughEdge());
    const known = await sentCalls(() => saleOf(throughEdge()));
    secret = await trustEdge(world.deps());
    const fresh = await sentCalls(() => saleOf(throughEdge()));
    expect([dependentTrips(fresh), fresh.length]).toEqual([dependentTrips(known), known.length]);
    expect(unitsOf(fresh)).toEqual({ read: unitsOf(known).read + 1, write: unitsOf(known).write });
  });

  it('is answered even if reading the secret from the table fails, because a refused sale would be lost', async () => {
    const reply = await failing('read', refused('InternalServerError'), () =>
      send(preflight, { method: 'OPTIONS', headers: throughEdge('y'.repeat(43)) }),
    );
    expect(reply.status).toBe(204);
  });
});
