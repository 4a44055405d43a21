import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { refusedReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// The messages of partners and links.

const partnerMissing = 'Missing required fields: name, email';
const wrongName = 'name must be a string of 1 to 120 characters';
const wrongEmail = 'email must be a valid e-mail address';
const linkMissing = 'Missing required fields: partner_id';
const noPartner = 'Partner not found';
const wrongLink = 'short_link must be 3 to 64 characters of A-Z, a-z, 0-9, _ and -';
const wrongDestination = 'destination_url must be an absolute http or https URL';
const statusMissing = 'Missing required fields: status';
const wrongStatus = (sent: string, valid: string) => `Invalid status: ${sent}. Valid: ${valid}`;

const world = openedWorld();
const brand = opened(() => world.brand());

/** The reply to a request that must leave the program unchanged. */
async function answer(method: string, below: string, body: unknown) {
  const { token } = await ownerOfBrand(world, brand);
  const pk = `PROGRAM#${brand.program.id}`;
  const before = await world.items(pk);
  const reply = await dashboard(token).ask(method, `/programs/${brand.program.id}${below}`, body);
  expect(await world.items(pk)).toEqual(before);
  return reply;
}

const refused = (status: number, message: string) => refusedReply(status, message);

describe('POST partners', () => {
  it.each([
    [{}, partnerMissing],
    [{ name: 'Ana' }, partnerMissing],
    [{ email: 'a@b.test' }, partnerMissing],
    [{ name: null, email: 'x' }, partnerMissing],
    [{ name: '', email: 'x' }, wrongName],
    [{ name: 'x'.repeat(121), email: 'a@b.test' }, wrongName],
    [{ name: 7, email: 'a@b.test' }, wrongName],
    [{ name: 'a\u202eb', email: 'a@b.test' }, wrongName],
    ...['', '@b.test', 'a@b', 'a@b.test\u0000', 'a@b.test, c@d.test', `${'x'.repeat(250)}@b.test`, {}].map(
      (email): [object, string] => [{ name: 'Ana', email }, wrongEmail],
    ),
  ])('with %j is answered 400 %s', async (body, message) => {
    expect(await answer('POST', '/partners', body)).toEqual(refused(400, message));
  });
});

describe('POST links', () => {
  it.each([
    [{}, 400, linkMissing],
    [{ partner_id: null, short_link: '!' }, 400, linkMissing],
    [{ partner_id: 999_999, short_link: '!' }, 404, noPartner],
    [{ partner_id: 'ana' }, 404, noPartner],
    [{ partner_id: 0 }, 404, noPartner],
    [{ partner_id: {} }, 404, noPartner],
  ])('with %j is answered %i %s', async (body, status, message) => {
    expect(await answer('POST', '/links', body)).toEqual(refused(status, message));
  });

  it('is answered 404 for a partner of another program', async () => {
    const other = await world.brand();
    expect(await answer('POST', '/links', { partner_id: other.partner.id })).toEqual(refused(404, noPartner));
  });

  it.each([
    ...['', 'ab', 'x'.repeat(65), 'a b c', 'ünï', 'a/b', 'a.b', 'abc\n', 7, true, ['abc']].map(
      (sent): [object, string] => [{ short_link: sent, destination_url: 'x' }, wrongLink],
    ),
    ...['', 'acme.test', '/path', 'ftp://a.test', 'javascript:alert(1)', 'https://', 'mailto:a@b.test', 7, {}].map(
      (sent): [object, string] => [{ destination_url: sent }, wrongDestination],
    ),
    [{ destination_url: `https://a.test/${'x'.repeat(2048)}` }, wrongDestination],
    [{ short_link: 'afftest1', destination_url: 'x' }, wrongDestination],
  ])('with %j is answered 400 %s', async (fields, message) => {
    expect(await answer('POST', '/links', { partner_id: brand.partner.id, ...fields })).toEqual(refused(400, message));
  });
});

describe.each([
  ['partner', 'active, removed', () => `/partners/${brand.partner.id}`],
  ['link', 'active, inactive', () => `/links/${brand.shortLink}`],
])('PATCH %s', (_, valid, url) => {
  it.each([
    [{}, statusMissing],
    [{ status: null }, statusMissing],
    [{ status: '' }, wrongStatus('', valid)],
    [{ status: 'Active' }, wrongStatus('Active', valid)],
    [{ status: 'deleted' }, wrongStatus('deleted', valid)],
    [{ status: 7 }, wrongStatus('7', valid)],
    [{ status: ['active'] }, wrongStatus('["active"]', valid)],
  ])('with %j is answered 400 %s', async (body, message) => {
    expect(await answer('PATCH', url(), body)).toEqual(refused(400, message));
    expect(await world.items(`LINK#${brand.shortLink}`)).toMatchObject([{ status: 'active' }]);
  });
});

describe('PATCH partner with a name and an e-mail address', () => {
  it.each([
    [{ name: null, email: null }, statusMissing],
    [{ name: '' }, wrongName],
    [{ name: '名'.repeat(10_000) }, wrongName],
    [{ name: 7 }, wrongName],
    [{ email: 'a@b' }, wrongEmail],
    [{ email: 7 }, wrongEmail],
    [{ name: 'Eve', email: 'a@b' }, wrongEmail],
    [{ name: '', email: 'a@b' }, wrongName],
    [{ status: 'x', name: '', email: 'a@b' }, wrongStatus('x', 'active, removed')],
  ])('with %j is answered 400: %s', async (body, message) => {
    expect(await answer('PATCH', `/partners/${brand.partner.id}`, body)).toEqual(refused(400, message));
  });
});

it.each(['999999', '0', 'x', '1.5', '-1', 'undefined'])(
  'PATCH partners/%s is answered 404 “Partner not found”',
  async (id) => {
    expect(await answer('PATCH', `/partners/${id}`, { status: 'removed' })).toEqual(refused(404, noPartner));
  },
);
