import { beforeAll, expect, it } from 'vitest';
import { keys } from '#lib/service/store/keys.ts';
import { ownedBrand } from '#test/support/commissions.ts';
import { countedHeaders } from '#test/support/headers.ts';
import { newAddress, signedInAs } from '#test/support/people.ts';
import { portal } from '#test/support/portal.ts';
import { NOW } from '#test/support/request.ts';
import { openProcessor } from '#test/support/stripe.ts';
import { openWorld, type World } from '#test/support/world.ts';

// What is stored of an account as a partner.

openProcessor();

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

/** A brand's partner who signs in. */
async function start() {
  const own = await ownedBrand(world);
  const email = newAddress('ana');
  await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { email });
  const person = await signedInAs(world, email);
  return { own, email, person, read: () => portal(person.token).get('/export') };
}

const at = NOW.toISOString();

it('tells all of the person, and nothing of another one', async () => {
  const { own, email, person, read } = await start();
  const other = await start();
  await own.owner.post(`${own.path}/codes`, { partner_id: own.partner.id, code: 'SAVE' });
  await portal(person.token).put('/payout-details', { method: 'paypal', email: 'ana@example.com' });
  const { table } = world.deps();
  const application = { message: 'Hello', appliedAt: at };
  const set = { application, acceptedTerms: { version: 1, at }, joinedAt: at };
  await table.update(keys.partner(own.program.id, own.partner.id), { set });
  const { id, name, domain } = own.program;
  const program = {
    program_id: id,
    name,
    domain,
    status: 'active',
    joined_at: at,
    invited_at: null,
    rejection_reason: null,
    terms_to_accept: null,
    partner_id: own.partner.id,
    name_in_program: 'Ana',
    email_in_program: email,
    left_at: null,
    rejected_at: null,
    application: { message: 'Hello', website: null, applied_at: at },
    accepted_terms: { version: 1, accepted_at: at },
    links: [{ short_link: own.shortLink, destination_url: `https://${domain}/`, status: 'active', created_at: at }],
    codes: [{ code: 'SAVE', status: 'active', created_at: at }],
    more: ['commissions.csv', 'payouts', 'customers', 'performance', 'balance'].map(
      (list) => `/api/partner/v1/programs/${id}/${list}`,
    ),
  };
  const reply = await read();
  expect(reply).toEqual({
    status: 200,
    headers: countedHeaders(300, 2),
    body: {
      data: {
        account: { id: person.account.id, email, name: person.account.name, created_at: at },
        mail: true,
        payout_details: { method: 'paypal', masked: 'a***@example.com', updated_at: at },
        programs: [program],
        complete: true,
      },
    },
  });
  const text = JSON.stringify((await other.read()).body);
  for (const foreign of [email, `"${own.shortLink}"`, 'SAVE', 'example.com']) expect(text).not.toContain(foreign);
});

it('tells of a rejected application, of leaving, and of mails that are not wanted', async () => {
  const { own, person, read } = await start();
  const { table } = world.deps();
  const application = { website: 'https://ana.test', appliedAt: at };
  const set = { application, status: 'rejected', rejectedAt: at, rejectionReason: 'No', leftAt: at };
  await table.update(keys.partner(own.program.id, own.partner.id), { set });
  await table.update(keys.account(person.account.id), { set: { refusesMail: true } });
  expect((await read()).body.data).toMatchObject({
    mail: false,
    programs: [
      {
        status: 'rejected',
        rejection_reason: 'No',
        rejected_at: at,
        left_at: at,
        application: { message: null, website: 'https://ana.test', applied_at: at },
        accepted_terms: null,
      },
    ],
  });
});

it('of nobody’s partner is empty, and of a stranger refused', async () => {
  const { token } = await signedInAs(world);
  const { body } = await portal(token).get('/export');
  expect(body.data).toMatchObject({ payout_details: null, programs: [], complete: true });
  expect((await portal().get('/export')).status).toBe(401);
});

it('leaves out links beyond the size of a reply, and says so', async () => {
  const { own, read } = await start();
  const links = Array.from({ length: 5_001 }, (_, n) => `${own.shortLink}-${n}`);
  const { table } = world.deps();
  await table.update(keys.partner(own.program.id, own.partner.id), { set: { links } });
  expect((await read()).body.data.complete).toBe(false);
});

it('leaves out links with addresses of which a reply cannot hold all', async () => {
  const { own, read } = await start();
  const links = Array.from({ length: 700 }, (_, n) => `long-${own.program.id}-${n}`);
  const { table } = world.deps();
  const link = await table.get<object>(keys.link(own.shortLink));
  // Characters beyond ASCII take nine in an address.
  const destinationUrl = `https://${own.program.domain}/${'%E4%B8%96'.repeat(2_000)}`;
  for (const shortLink of links) await table.put(keys.link(shortLink), { ...link, shortLink, destinationUrl });
  await table.update(keys.partner(own.program.id, own.partner.id), { set: { links } });
  const { body } = await read();
  expect(JSON.stringify(body).length).toBeLessThan(5_000_000);
  expect(body.data.programs[0].links.length).toBeGreaterThan(100);
  expect(body.data.complete).toBe(false);
});
