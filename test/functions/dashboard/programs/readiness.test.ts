import { beforeAll, describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { namedFailure, platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, runChain } from '#test/support/programs/integration.ts';
import { clicked } from '#test/support/payments/journeys.ts';
import { memberOf, ownerOf, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { markedBrand } from '#test/support/programs/rotation.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { refusedReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Readiness and verification of the dashboard. The chain itself: test/functions/cli.

const world = openedWorld();
let brand: Brand;
beforeAll(async () => {
  brand = await world.brand();
});

describe('readiness', () => {
  it('is what the program key sees, below data, to owners and members', async () => {
    await clicked(brand);
    await runChain(brand.key);
    const { body } = await askReadiness(brand.key);
    expect(body.state).toBe('live_verified');
    const owner = await ownerOfBrand(world, brand);
    const member = await memberOf(world, owner.workspace);
    for (const { token } of [owner, member]) {
      for (const query of ['', '?force_recheck=true', '?force_recheck=1']) {
        const reply = await dashboard(token).get(`/programs/${brand.program.id}/readiness${query}`);
        expect(reply).toMatchObject({ status: 200, body: { data: body } });
        expect(Object.keys(reply.body)).toEqual(['data']);
      }
    }
  });

  it('of a marked key has no warnings: the program shows them', async () => {
    const marked = await markedBrand(world);
    const { token } = await ownerOfBrand(world, marked);
    const reply = await dashboard(token).get(`/programs/${marked.program.id}/readiness`);
    expect(reply).toMatchObject({ status: 200, headers: countedHeaders(300) });
    expect(Object.keys(reply.body)).toEqual(['data']);
  });
});

type User = ReturnType<typeof dashboard>;
const routes = [
  ['readiness', (user: User, id: number | string) => user.get(`/programs/${id}/readiness`)],
  ['verification', (user: User, id: number | string) => user.post(`/programs/${id}/verification`)],
] as const;

describe.each(routes)('%s', (_, ask) => {
  it.each([
    [401, 'Sign in to continue', async () => undefined],
    [401, 'Invalid or expired token', async () => brand.key],
    [403, 'No workspace found for this account', async () => (await signedInAs(world)).token],
    [404, 'Program not found', async () => (await ownerOf(world)).token],
  ])('%i %s', async (status, message, tokenOf) => {
    expect(await ask(dashboard(await tokenOf()), brand.program.id)).toEqual(refusedReply(status, message));
  });

  it.each([0, 'me', 999_999])('404 of the program %s', async (id) => {
    const { token } = await ownerOfBrand(world, brand);
    expect((await ask(dashboard(token), id)).body).toEqual(platformError(404, 'Program not found'));
  });

  it('500 names the request', async () => {
    const { token } = await ownerOfBrand(world, brand);
    const reply = await failing('read', refused('InternalServerError'), () => ask(dashboard(token), brand.program.id));
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual(namedFailure('Request failed', reply));
  });
});
