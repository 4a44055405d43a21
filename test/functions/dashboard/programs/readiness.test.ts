import { beforeAll, describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { askReadiness, runChain } from '#test/support/programs/integration.ts';
import { clicked } from '#test/support/payments/journeys.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { markedBrand } from '#test/support/programs/rotation.ts';
import { type Brand } from '#test/support/programs/world.ts';
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
