import { describe, expect, it } from 'vitest';
import { handler } from '#functions/cli/payment-connect.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders, jsonHeaders } from '#test/support/callers/headers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const body = platformError(
  410,
  'This endpoint is retired. Connect your payment processor from the dashboard: program Settings.',
);

describe('410', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])('answers %s', async (method) => {
    expect(await send(handler, { method })).toEqual({ status: 410, headers: countedHeaders(60), body });
  });

  it('answers OPTIONS, which is not counted', async () => {
    expect(await send(handler, { method: 'OPTIONS' })).toEqual({ status: 410, headers: jsonHeaders, body });
  });

  it.each(['', '{', { anything: 1 }])('whatever is sent: %j', async (sent) => {
    expect((await send(handler, { body: sent })).status).toBe(410);
  });

  it('to every caller, with a retired key too', async () => {
    const brand = await world.brand();
    await markKeyForRotation(world.deps(), brand.program.id, NOW);
    for (const key of ['nobody', '', brand.key]) {
      expect(await send(handler, { key })).toEqual({ status: 410, headers: countedHeaders(60), body });
    }
  });
});
