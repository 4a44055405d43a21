import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { newAddress, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

/** A partner who is signed in. */
async function start() {
  const brand = await world.brand({ minimumPayoutCents: 5_000 });
  const owner = await ownerOfBrand(world, brand);
  const email = newAddress('partner');
  const url = `/programs/${brand.program.id}`;
  const { body } = await dashboard(owner.token).post(`${url}/partners`, { name: 'Ben', email });
  const { token } = await signedInAs(world, email);
  await accepted({ token }, url);
  return { brand, owner, url, token, partnerId: body.data.id as number };
}

const notFound = platformError(404, 'Program not found');

describe('GET /programs/{id}', () => {
  it('shows the partner’s own terms, and nothing that only the program’s owner should know', async () => {
    const { brand, url, token } = await start();
    expect(await portal(token).get(url)).toEqual(
      dataReply(
        {
          id: brand.program.id,
          name: brand.program.name,
          domain: brand.program.domain,
          sandbox: false,
          status: 'active',
          terms_in_force: {
            commission_type: 'percent',
            commission_rate: 20,
            duration_months: null,
            hold_period_days: 15,
            lead_commission_cents: 0,
            tiers: [],
            version: 1,
            from: 'program',
            name: brand.program.name,
          },
          window_days: 60,
          minimum_payout_cents: 5_000,
          next_payout_on: null,
          currency: 'USD',
          links_left: 5,
          terms: null,
          brand: { name: brand.program.name, logo_url: null, accent: null, welcome: null, contact_email: null },
          assets: [],
        },
        4,
      ),
    );
  });

  it('answers 404 to a rejected partner', async () => {
    const { brand, url, token, partnerId } = await start();
    await world.deps().table.update(keys.partner(brand.program.id, partnerId), { set: { status: 'rejected' } });
    expect((await portal(token).get(url)).body).toEqual(notFound);
  });

  it('answers 404 to a person if another account now belongs to the partner', async () => {
    const { brand, url, token, partnerId } = await start();
    await world.deps().table.update(keys.partner(brand.program.id, partnerId), { set: { accountId: 999_999 } });
    expect((await portal(token).get(url)).body).toEqual(notFound);
    expect((await portal(token).get('/me')).body.data.programs).toEqual([]);
  });
});

describe('?as= in a portal request, with which an owner views the portal as a partner,', () => {
  it('adds an audit entry at most once an hour', async () => {
    const { owner, url, partnerId } = await start();
    const look = (at: Date) => portal(owner.token).get(`${url}?as=${partnerId}`, { at });
    const rows = async () =>
      (await dashboard(owner.token).get('/workspace/audit')).body.data.filter(
        ({ action }: { action: string }) => action === 'partner.viewed_as',
      );
    const replies = await Promise.all([NOW, NOW, new Date(NOW.getTime() + 60_000)].map(look));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await rows()).toMatchObject([
      { actor: { kind: 'account', id: owner.account.id }, target: { type: 'partner', id: String(partnerId) } },
    ]);
    await look(new Date(NOW.getTime() + 86_400_000));
    expect(await rows()).toHaveLength(2);
  });
});
