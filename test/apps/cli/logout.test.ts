import { describe, expect, it } from 'vitest';
import { credentials, openedCli } from '#test/support/callers/cli.ts';
import { openedScriptedServer, refusal } from '#test/support/servers/scripted-server.ts';

const server = openedScriptedServer();
const cli = openedCli();

const notLoggedIn = {
  code: 1,
  out: [{ error: 'You are not logged in, or your login has expired. Run `affitor login`.', code: 'not_logged_in' }],
  error: [],
};

describe('`affitor logout`', () => {
  it('revokes the token at the service and deletes it from the file', async () => {
    await cli.logIn(server.url);
    server.answer({ body: { data: { revoked: true } } });
    expect(await cli.json(['logout'])).toEqual({ code: 0, out: [{ logged_in: false }], error: [] });
    expect(server.requests).toMatchObject([
      { method: 'DELETE', path: '/api/dashboard/v1/session', headers: { authorization: 'Bearer lgn_secret' } },
    ]);
    expect(await cli.files()).toEqual([]);
  });

  it('deletes the token from the file and prints a message if the service cannot be reached', async () => {
    await cli.logIn(server.url);
    server.answer('drop', 'drop', 'drop');
    expect(await cli.run(['logout'])).toEqual({
      code: 0,
      out: ['Logged out.'],
      error: [
        `Cannot reach ${server.url}. Trying again in 1 s.`,
        `Cannot reach ${server.url}. Trying again in 2 s.`,
        expect.stringMatching(/^The service could not revoke the login: .* Unused, it ends by itself on 2027-02-18\.$/),
      ],
    });
    expect(await cli.files()).toEqual([]);
  });

  it('prints no warning if the service says that the token is already invalid', async () => {
    await cli.logIn(server.url);
    server.answer(refusal(401, 'Invalid or expired token'));
    expect(await cli.run(['logout'])).toEqual({ code: 0, out: ['Logged out.'], error: [] });
    expect(await cli.files()).toEqual([]);
  });

  it('succeeds if the user is not logged in', async () => {
    expect(await cli.run(['logout'])).toEqual({ code: 0, out: ['You were not logged in.'], error: [] });
    expect(await cli.json(['logout'])).toEqual({ code: 0, out: [{ logged_in: false }], error: [] });
  });
});

const me = (workspace: object | null, email = 'owner@acme.test') => ({
  body: { data: { account: { id: 3, email, name: 'Olga' }, workspace, invitations: [] } },
});

describe('`affitor whoami`', () => {
  const loginFile = 'home/.service/credentials.json';

  it('asks the service, and stores what has changed since the login', async () => {
    await cli.write(loginFile, { ...credentials, api_url: server.url, advertiser_id: null });
    server.answer(me({ id: 9, name: 'Acme', role: 'owner' }, 'olga@acme.test'));
    const { expires_at } = credentials;
    expect(await cli.json(['whoami'])).toEqual({
      code: 0,
      out: [{ email: 'olga@acme.test', advertiser_id: 9, api_url: server.url, expires_at }],
      error: [],
    });
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/api/dashboard/v1/me' }]);
    expect(JSON.parse(await cli.read(loginFile))).toEqual({
      ...credentials,
      api_url: server.url,
      email: 'olga@acme.test',
      advertiser_id: 9,
    });
    expect(await cli.modeOf(loginFile)).toBe('600');
  });

  it('prints what the file contains, with a message, if the service cannot be reached', async () => {
    await cli.logIn(server.url);
    server.answer('drop');
    expect(await cli.run(['whoami'])).toEqual({
      code: 0,
      out: [`owner@acme.test (workspace 7) at ${server.url}, until 2027-02-18`],
      error: [expect.stringMatching(/^Cannot reach .*\. This is what was known at the last login\.$/)],
    });
  });

  it('advises to log in again if the token was revoked', async () => {
    await cli.logIn(server.url);
    server.answer(refusal(401, 'Invalid or expired token'));
    expect(await cli.json(['whoami'])).toEqual({
      code: 1,
      out: [{ error: 'Invalid or expired token', status: 401 }],
      error: ['Run `affitor login`.'],
    });
  });

  it.each([
    ['absent', undefined],
    ['expired', JSON.stringify({ ...credentials, expires_at: '2026-11-20T15:00:00.000Z' })],
    ['half written', '{"token":"lgn_'],
    ['of another kind', 'null'],
    ['without a token', '{"email":"owner@acme.test"}'],
    ['with characters that cannot be sent', JSON.stringify({ ...credentials, token: 'lgn_\nsecret' })],
  ])('fails if the file with the login is %s', async (_, text) => {
    if (text !== undefined) await cli.write('home/.service/credentials.json', text);
    expect(await cli.json(['whoami'])).toEqual(notLoggedIn);
  });
});

describe('the command line, which sends the token of the login,', () => {
  it('requires a login for `affitor programs`', async () => {
    expect(await cli.json(['programs'])).toEqual(notLoggedIn);
  });

  it('advises to log in again if the service refuses the token', async () => {
    await cli.logIn(server.url);
    server.answer(refusal(401, 'Invalid or expired token'));
    expect(await cli.json(['programs'])).toEqual({
      code: 1,
      out: [{ error: 'Invalid or expired token', status: 401 }],
      error: ['Run `affitor login`.'],
    });
  });

  it('does not send the token to a URL that only the project file names', async () => {
    await cli.logIn('https://referrals.test');
    await cli.write('my-saas/.service/config.json', { api_url: server.url });
    server.answer();
    expect(await cli.json(['programs'])).toEqual({
      code: 1,
      out: [
        {
          error:
            `You are logged in at https://referrals.test, but .service/config.json names ${server.url}. ` +
            'Run `affitor login` to log in there, or pass --api-url.',
          code: 'not_logged_in',
        },
      ],
      error: [],
    });
    expect(server.requests).toEqual([]);
  });
});
