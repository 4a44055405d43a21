import { beforeAll, expect, it } from 'vitest';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { clientPlace } from '#lib/service/http/clients/client-address.ts';
import { trustEdge } from '#lib/service/ground/counters/trust-edge.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let secret: string;
beforeAll(async () => {
  secret = await trustEdge(world.deps());
});

const placeOf = (headers: Readonly<Record<string, string>>) =>
  clientPlace({ event: { headers } as APIGatewayProxyEventV2, deps: world.deps() });

it('a client’s place is the first 100 characters of what CloudFront reports', async () => {
  expect(await placeOf({ 'referral-viewer-place': 'Lisbon, Portugal', 'referral-edge-secret': secret })).toBe(
    'Lisbon, Portugal',
  );
  const long = await placeOf({ 'referral-viewer-place': 'L'.repeat(101), 'referral-edge-secret': secret });
  expect(long).toBe('L'.repeat(100));
});

it('a client’s place is ignored in a request without CloudFront’s secret', async () => {
  const place = { 'referral-viewer-place': 'Lisbon, Portugal' };
  expect(await placeOf({})).toBeUndefined();
  expect(await placeOf({ 'referral-edge-secret': secret })).toBeUndefined();
  expect(await placeOf(place)).toBeUndefined();
  expect(await placeOf({ ...place, 'referral-edge-secret': `${secret}x` })).toBeUndefined();
});
