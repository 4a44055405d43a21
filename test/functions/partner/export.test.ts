import { expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { HOLD_OVER, ownedBrand } from '#test/support/programs/commissions.ts';
import { signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// The stored data of an account as a partner.

openProcessor();

const world = openedWorld();

/** A brand's partner who signs in. */
async function start() {
  const own = await ownedBrand(world);
  const email = newAddress('ana');
  await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { email });
  const person = await signedInAs(world, email);
  return { own, email, person, read: () => portal(person.token).get('/export') };
}

const at = NOW.toISOString();

it('the export of a person’s data contains all their data and none of another person', async () => {
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
    sandbox: false,
    status: 'active',
    joined_at: at,
    invited_at: null,
    rejection_reason: null,
    terms_to_accept: null,
    brand: { name, logo_url: null, accent: null },
    partner_id: own.partner.id,
    name_in_program: 'Ana',
    email_in_program: email,
    left_at: null,
    rejected_at: null,
    application: { message: 'Hello', website: null, applied_at: at },
    accepted_terms: { version: 1, accepted_at: at },
    links: [{ short_link: own.shortLink, destination_url: `https://${domain}/`, status: 'active', created_at: at }],
    codes: [{ code: 'SAVE', status: 'active', created_at: at }],
    may_apply_on: null,
    commissions: [],
    payouts: [],
    customers: [],
    more: ['commissions', 'commissions.csv', 'payouts', 'customers', 'links', 'codes', 'performance', 'balance'].map(
      (list) => `/api/partner/v1/programs/${id}/${list}`,
    ),
  };
  const reply = await read();
  expect(reply).toEqual(
    dataReply(
      {
        account: { id: person.account.id, email, name: person.account.name, created_at: at },
        mail: true,
        payout_details: { method: 'paypal', masked: 'a***@example.com', updated_at: at },
        billing: null,
        programs: [program],
        complete: true,
      },
      2,
    ),
  );
  const text = JSON.stringify((await other.read()).body);
  for (const foreign of [email, `"${own.shortLink}"`, 'SAVE', 'example.com']) expect(text).not.toContain(foreign);
});

it('the export contains a rejected application, a program that the person left, and the choice to get no mails', async () => {
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
        may_apply_on: '2026-12-20',
        left_at: at,
        application: { message: null, website: 'https://ana.test', applied_at: at },
        accepted_terms: null,
      },
    ],
  });
});

it('the export contains commissions, payouts and customers in the format of the program’s lists', async () => {
  const { own, person, read } = await start();
  const key = `user of ${own.program.id}`;
  await signedUp(own, key);
  await sold(own, { transaction_id: key, customer_key: key });
  await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_OVER });
  await counted(world);
  const { programs, complete } = (await read()).body.data;
  expect(complete).toBe(true);
  for (const list of ['commissions', 'payouts', 'customers']) {
    const { body } = await portal(person.token).get(`${own.path}/${list}`);
    expect(body.data).toHaveLength(1);
    expect(programs[0][list]).toEqual(body.data);
  }
  expect(JSON.stringify(programs)).not.toContain(key);
});

it('if a program has too many commissions, the export leaves out the oldest ones and has complete: false', async () => {
  const { own, person, read } = await start();
  await manyCommissions(world, own.program.id, own.partner.id, 400, (n) => `many ${own.program.id} ${n}`);
  const { programs, complete } = (await read()).body.data;
  const { body } = await portal(person.token).get(`${own.path}/commissions?limit=100`);
  expect(complete).toBe(false);
  expect(programs[0].commissions).toHaveLength(333);
  expect(programs[0].commissions.slice(0, 100)).toEqual(body.data);
});

it('if two programs have too many commissions, the export divides the available rows between them', async () => {
  const { own, email, person, read } = await start();
  const other = await ownedBrand(world);
  await other.owner.patch(`${other.path}/partners/${other.partner.id}`, { email });
  await portal(person.token).get('/me');
  for (const { program, partner } of [own, other]) {
    await manyCommissions(world, program.id, partner.id, 400, (n) => `room ${program.id} ${n}`);
  }
  const { programs, complete } = (await read()).body.data;
  expect(complete).toBe(false);
  expect(programs.map(({ commissions }: { commissions: unknown[] }) => commissions.length)).toEqual([333, 222]);
});

it('the export is empty for an account that is no partner, and refused without a sign-in', async () => {
  const { token } = await signedInAs(world);
  const { body } = await portal(token).get('/export');
  expect(body.data).toMatchObject({ payout_details: null, programs: [], complete: true });
  expect((await portal().get('/export')).status).toBe(401);
});

it('if a partner has more links than the export can hold, the export has complete: false', async () => {
  const { own, read } = await start();
  const links = Array.from({ length: 5_001 }, (_, n) => `${own.shortLink}-${n}`);
  const { table } = world.deps();
  await table.update(keys.partner(own.program.id, own.partner.id), { set: { links } });
  expect((await read()).body.data.complete).toBe(false);
});

it('if the links’ URLs are too long for one reply, the export leaves some links out and has complete: false', async () => {
  const { own, read } = await start();
  const links = Array.from({ length: 700 }, (_, n) => `long-${own.program.id}-${n}`);
  const { table } = world.deps();
  const link = await table.get<object>(keys.link(own.shortLink));
  // In a URL, each of these characters takes nine.
  const destinationUrl = `https://${own.program.domain}/${'%E4%B8%96'.repeat(2_000)}`;
  for (const shortLink of links) await table.put(keys.link(shortLink), { ...link, shortLink, destinationUrl });
  await table.update(keys.partner(own.program.id, own.partner.id), { set: { links } });
  const { body } = await read();
  expect(JSON.stringify(body).length).toBeLessThan(5_000_000);
  expect(body.data.programs[0].links.length).toBeGreaterThan(100);
  expect(body.data.complete).toBe(false);
});
