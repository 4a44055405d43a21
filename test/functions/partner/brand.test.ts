import { describe, expect, it } from 'vitest';
import { programOf } from '#test/support/programs/candidates.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { portal } from '#test/support/callers/portal.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { png } from '#test/support/programs/images.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { platformError } from '#test/support/servers/errors.ts';

// The brand of a program as people see it who have not signed in, and as partners see it.

const world = openedWorld();
const notFound = platformError(404, 'Program not found');

const sent = {
  display_name: 'Acme',
  accent_color: '#3b54d6',
  welcome: 'Hello',
  contact_email: 'partners@acme.test',
};
const shown = {
  name: 'Acme',
  logo_url: null,
  accent: { light: '#3b54d6', dark: expect.stringMatching(/^#[0-9a-f]{6}$/) },
  welcome: 'Hello',
  contact_email: 'partners@acme.test',
};

async function start(settings: Record<string, unknown> = {}) {
  const scene = await programOf(world, settings);
  const owner = dashboard((await ownerOfBrand(world, scene.brand)).token);
  const url = `/programs/${scene.id}/brand`;
  return {
    ...scene,
    change: (body: object) => owner.patch(url, body),
    upload: () => owner.put(`${url}/logo`, png().toString('base64'), { isBase64Encoded: true }),
    removeLogo: () => owner.delete(`${url}/logo`),
  };
}

describe('GET /brand/{program_id}', () => {
  it('shows anyone the brand of a program that has a display name', async () => {
    const { id, change } = await start();
    await change(sent);
    expect(await portal().get(`/brand/${id}`)).toEqual(dataReply(shown));
  });

  it('shows the name of the program if the brand has a logo but no display name', async () => {
    const { id, brand, upload, removeLogo } = await start();
    await upload();
    const { body } = await portal().get(`/brand/${id}`);
    expect(body.data).toEqual({
      name: brand.program.name,
      logo_url: expect.stringMatching(new RegExp(`^/brand/${id}/logo\\?v=[0-9a-f]{8}$`)),
      accent: null,
      welcome: null,
      contact_email: null,
    });
    await removeLogo();
    expect((await portal().get(`/brand/${id}`)).body).toEqual(notFound);
  });

  it('answers 404 for a program with neither a logo nor a display name, so that its name stays private', async () => {
    const { id, change } = await start();
    for (const each of [id, 999_999, 'x', 0]) expect((await portal().get(`/brand/${each}`)).body).toEqual(notFound);
    await change({ ...sent, display_name: null });
    expect((await portal().get(`/brand/${id}`)).body).toEqual(notFound);
    await change({ display_name: 'Acme' });
    expect((await portal().get(`/brand/${id}`)).status).toBe(200);
  });
});

describe('the brand of a program', () => {
  it('is in the reply of GET /join/{program_id}, with the program’s name if the brand has no display name', async () => {
    const { id, brand, change } = await start({ join: 'open' });
    const plain = { name: brand.program.name, logo_url: null, accent: null, welcome: null, contact_email: null };
    expect((await portal().get(`/join/${id}`)).body.data).toMatchObject({ name: brand.program.name, brand: plain });
    await change(sent);
    expect((await portal().get(`/join/${id}`)).body.data).toMatchObject({ name: brand.program.name, brand: shown });
  });

  it('is in the replies of GET /programs/{id}, GET /me and POST /programs/{id}/accept', async () => {
    const { id, person, change } = await start();
    await change(sent);
    const { token } = await person({ invite: true });
    const { get, post } = portal(token);
    expect((await get(`/programs/${id}`)).body.data.brand).toEqual(shown);
    const { name, logo_url, accent } = shown;
    expect((await get('/me')).body.data.programs).toMatchObject([
      { program_id: id, brand: { name, logo_url, accent } },
    ]);
    expect((await post(`/programs/${id}/accept`)).body.data.brand).toEqual(shown);
  });
});
