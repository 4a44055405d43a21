import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '#infra/local/gateway/server.ts';
import { emailOf, isOfMailbox, traceEmail } from '#lib/service/ground/addresses/email.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { type Cli, credentials, openCli } from '#test/support/callers/cli.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { newAddress, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openScriptedServer } from '#test/support/servers/scripted-server.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests of spellings that look the same to people but not to programs, and of reads that leave no trace.

openProcessor();

const world = openedWorld();
const own = opened(() => ownedBrand(world));

const KELVIN = '\u212a';
const invalid = 'email must be a valid e-mail address';

it('a partner’s e-mail address with a dot after its domain is the same address as without the dot', async () => {
  const { owner, path } = await ownedBrand(world);
  const added = await owner.post(`${path}/partners`, { name: 'Fay', email: 'f2@x.test' });
  expect(added.status).toBe(200);
  const again = await owner.post(`${path}/partners`, { name: 'Fay', email: 'F2@X.test.' });
  expect(again.status).toBe(409);
  const other = await owner.post(`${path}/partners`, { name: 'Fay', email: 'f3@x.test.' });
  expect(other.body.data).toMatchObject({ email: 'f3@x.test' });
});

describe('an e-mail address', () => {
  it.each([`${KELVIN}im@brand.test`, 'ünal@brand.test', 'kim\u0301@brand.test'])('%j is refused', async (email) => {
    for (const reply of [
      await own.owner.post(`${own.path}/partners`, { name: 'Kim', email }),
      await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { email }),
      await own.owner.post('/workspace/members', { email, role: 'member' }),
    ]) {
      expect(reply).toMatchObject({ status: 400, body: platformError(400, invalid) });
    }
  });

  it('of a customer never matches the e-mail address of another person', () => {
    expect(emailOf(` ${KELVIN}IM@Brand.test`)).toBe(`${KELVIN}im@brand.test`);
    const { hash } = traceEmail(`${KELVIN}im@brand.test`, 'salt');
    expect(hash).not.toBe(traceEmail('kim@brand.test', 'salt').hash);
  });

  it.each([
    ['a trailing dot', 'kim@brand.test.'],
    ['a fully qualified domain name', 'kim@xn--bcher-kva.test', 'kim@bücher.test'],
    ['a tag', 'kim+2@brand.test'],
    ['capitals', 'KIM@BRAND.TEST'],
    ['dots at Gmail', 'k.i.m@googlemail.com.', 'kim@gmail.com'],
  ])('belongs to the same mailbox even if it is written with %s', (_, spelled, plain = 'kim@brand.test') => {
    expect(isOfMailbox(traceEmail(emailOf(spelled)!, 'salt'), plain, 'salt')).toBe(true);
  });
});

const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

describe('an owner who views the portal as a partner', () => {
  it.each([
    '',
    '/balance',
    '/performance',
    '/customers',
    '/commissions',
    '/commissions.csv',
    '/links',
    '/payouts',
    '/codes',
  ])('leaves one audit entry an hour for GET %s', async (route) => {
    const brand = await ownedBrand(world);
    const { token } = await ownerOfBrand(world, brand);
    const look = (at: Date) => portal(token).get(`${brand.path}${route}?as=${brand.partner.id}`, { at });
    const replies = await Promise.all([look(NOW), look(NOW), look(minutes(59))]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = async () => {
      const { data } = (await brand.owner.get('/workspace/audit', { at: minutes(70) })).body;
      return data.filter(({ action }: { action: string }) => action === 'partner.viewed_as');
    };
    expect(await rows()).toHaveLength(1);
    await look(minutes(60));
    expect(await rows()).toHaveLength(2);
  });
});

const put = async (body: object) => {
  const { token } = await signedInAs(world, newAddress('ana'));
  return portal(token).put('/payout-details', body);
};

describe('bank account numbers', () => {
  const account = {
    method: 'bank',
    account_holder: 'Ana Doe',
    account_number: '0001-2345 6789',
    routing_number: '40-47-84',
    country: 'GB',
  };
  it.each(['=1+1', '+491234', '-1', '@SUM(1)', '1+1', "1'2", '1  2', '12–34', '１２３'])(
    '%j is refused',
    async (part) => {
      for (const field of ['account_number', 'routing_number']) {
        const text = `${field} must be a string of 1 to 34 characters`;
        expect(await put({ ...account, [field]: part })).toMatchObject({ status: 400, body: platformError(400, text) });
      }
    },
  );

  it('may contain letters, digits and separators', async () => {
    expect((await put(account)).status).toBe(200);
  });
});

describe('the CLI', () => {
  let cli: Cli;
  afterEach(() => cli.close());
  const away = 'http://referrals.example.com';

  it.each([['status', '--api-key', 'aff_1_x'], ['login'], ['programs'], ['test', 'click', '--api-key', 'aff_1_x']])(
    'sends nothing over plain http to %s',
    async (...words) => {
      cli = await openCli();
      await cli.write('home/.service/credentials.json', { ...credentials, api_url: away });
      const ran = await cli.run([...words, '--api-url', away, '--no-interactive']);
      expect(ran.code).toBe(1);
      expect(ran.error.join(' ')).toContain(`${away} is not encrypted`);
      expect(ran.error.join(' ')).toContain('Nothing was sent.');
    },
  );

  it('may use plain http to this machine', async () => {
    const server = await openScriptedServer();
    cli = await openCli();
    server.answer({ body: { data: [] } });
    await cli.run(['status', '--api-key', 'aff_1_x', '--api-url', server.url, '--no-interactive']);
    expect(server.requests).toHaveLength(1);
    await server.close();
  });
});

const ask = async (method: string, origin?: (port: number) => string) => {
  const server = await listen(0);
  server.serve({
    routes: ['GET', 'POST'].map((each) => ({
      method: each,
      path: '/local/clock',
      handler: async () => ({ statusCode: 200, body: '{"moved":true}' }),
    })),
    fallback: async () => ({ statusCode: 404, body: '{}' }),
    now: () => NOW.getTime(),
  });
  const headers = origin ? { origin: origin(server.port) } : {};
  const sent = httpRequest({ host: '127.0.0.1', port: server.port, path: '/local/clock', method, headers }).end();
  const [response] = await once(sent, 'response');
  const body = await json(response);
  await server.stop();
  return { status: response.statusCode, body };
};

describe('routes of the local run', () => {
  it.each(['https://evil.test', 'http://127.0.0.1:1', 'null', 'http://localhost.evil.test'])(
    'reject changes from a page of %s',
    async (origin) => {
      expect(await ask('POST', () => origin)).toMatchObject({
        status: 403,
        body: { error: { name: 'ForbiddenError' } },
      });
    },
  );

  it('accept changes from the service’s own page and from programs that are not browsers', async () => {
    expect((await ask('POST')).status).toBe(200);
    expect((await ask('POST', (port) => `http://127.0.0.1:${port}`)).status).toBe(200);
    expect((await ask('POST', (port) => `http://localhost:${port}`)).status).toBe(200);
    expect((await ask('GET', () => 'https://evil.test')).status).toBe(200);
  });
});
