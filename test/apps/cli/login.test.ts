import { describe, expect, it } from 'vitest';
import { openedCli, personWho } from '#test/support/callers/cli.ts';
import { openedScriptedServer, refusal } from '#test/support/servers/scripted-server.ts';

const server = openedScriptedServer();
const cli = openedCli(server);

const authUrl = 'https://dashboard.test/cli/login?state=s+1';
const started = {
  body: {
    data: {
      state: 's+1',
      auth_url: authUrl,
      poll_url: 'https://elsewhere.test',
      expires_at: '2026-11-20T15:00:09.000Z',
      code: 'ABCD-EFGH',
    },
  },
};
const poll = (status: string, more: object = {}) => ({ body: { data: { status, ...more } } });
const pending = poll('pending');
const complete = poll('complete', { token: 'lgn_secret', email: 'owner@acme.test', advertiser_id: 7 });
const shown = `Sign in here:\n\n  ${authUrl}\n\nThe page must show this code:\n\n  ABCD-EFGH\n`;
const requests = () => server.requests.map(({ method, path }) => `${method} ${path}`);

describe('`affitor login`', () => {
  it('opens the sign-in page, asks every two seconds for the result, and stores the token so that only its owner can read it', async () => {
    server.answer(started, pending, pending, complete);
    expect(await cli.run(['login'])).toEqual({
      code: 0,
      out: [shown, 'Logged in as owner@acme.test.'],
      error: [
        'Waiting for you to sign in …',
        'Next: `affitor programs` lists your programs, `affitor init` creates one for the project in this folder.',
      ],
    });
    expect(cli.opened).toEqual([authUrl]);
    expect(cli.sleptMs).toEqual([2_000, 2_000, 2_000]);
    const polled = 'GET /api/v1/cli/auth/poll?state=s%2B1';
    expect(requests()).toEqual(['POST /api/v1/cli/auth/start', polled, polled, polled]);
    expect(await cli.files()).toEqual(['home/.service/credentials.json']);
    expect(JSON.parse(await cli.read('home/.service/credentials.json'))).toEqual({
      token: 'lgn_secret',
      email: 'owner@acme.test',
      advertiser_id: 7,
      api_url: server.url,
      expires_at: '2027-02-18T15:00:06.000Z',
      created_at: '2026-11-20T15:00:06.000Z',
    });
    expect(await cli.modeOf('home/.service/credentials.json')).toBe('600');
    expect(await cli.modeOf('home/.service')).toBe('700');
  });

  it('prints one JSON object to stdout and the sign-in URL to stderr with --json', async () => {
    server.answer(started, complete);
    expect(await cli.json(['login', '--quiet'])).toEqual({
      code: 0,
      out: [{ logged_in: true, email: 'owner@acme.test', advertiser_id: 7 }],
      error: [shown],
    });
  });

  it('opens no browser with --no-interactive', async () => {
    server.answer(started, complete);
    await cli.run(['login', '--no-interactive']);
    expect(cli.opened).toEqual([]);
  });

  it('opens no browser if the URL is neither HTTPS nor on this machine', async () => {
    const body = { data: { ...started.body.data, auth_url: 'http://dashboard.test/' } };
    server.answer({ body }, complete);
    expect(await cli.run(['login'])).toMatchObject({ code: 0 });
    expect(cli.opened).toEqual([]);
  });

  it('continues if the browser cannot be started', async () => {
    server.answer(started, complete);
    const { code, error } = await cli.run(['login'], {
      openBrowser: () => Promise.reject(new Error('spawn xdg-open ENOENT')),
    });
    expect({ code, said: error[0] }).toEqual({
      code: 0,
      said: 'No browser could be started. Open the address yourself, on any machine.',
    });
  });

  it('explains how to create a workspace if the user has none', async () => {
    server.answer(started, poll('complete', { token: 'lgn_secret', email: 'new@acme.test', advertiser_id: null }));
    const { error } = await cli.run(['login']);
    expect(error.at(-1)).toBe(
      'You belong to no workspace yet. Create one in the dashboard (https://dashboard.test), or let `affitor init` create it.',
    );
  });

  it('replaces the token of an earlier login', async () => {
    await cli.logIn('https://old.test');
    server.answer(started, complete);
    await cli.run(['login']);
    expect(JSON.parse(await cli.read('home/.service/credentials.json'))).toMatchObject({ api_url: server.url });
  });
});

describe('`affitor login` without a sign-in by the user', () => {
  const late = { error: 'No one signed in within 5 minutes.' };
  const again = 'Run `affitor login` again.';

  it('ends at its time limit', async () => {
    server.answer(started, pending, pending, pending, pending, pending, pending);
    expect(await cli.json(['login', '--quiet'])).toEqual({ code: 1, out: [late], error: [shown, again] });
    expect(cli.sleptMs).toHaveLength(5);
    expect(await cli.files()).toEqual([]);
  });

  it('ends when the service replies that the login has expired', async () => {
    server.answer(started, pending, poll('expired'));
    expect(await cli.json(['login', '--quiet'])).toEqual({ code: 1, out: [late], error: [shown, again] });
  });

  it('goes on for five minutes if the clocks of the user and the service differ too much', async () => {
    const body = { data: { ...started.body.data, expires_at: '2020-01-01T00:00:00.000Z' } };
    server.answer({ body }, ...Array.from({ length: 149 }, () => pending), complete);
    expect(await cli.run(['login'])).toMatchObject({ code: 0 });
  });

  it.each([
    [400, 'Session already consumed'],
    [404, 'Session not found'],
  ])('ends if the service replies %i %s', async (status, message) => {
    server.answer(started, refusal(status, message));
    expect(await cli.json(['login', '--quiet'])).toEqual({
      code: 1,
      out: [{ error: message, status }],
      error: [shown, 'This login cannot be finished. Run `affitor login` again.'],
    });
  });

  it('ends if the service’s rate limit is exceeded, and prints how long to wait', async () => {
    const error = { status: 429, code: 'rate_limited', message: 'Too many requests.', retry_after_seconds: 37 };
    server.answer(started, { status: 429, body: { error } });
    expect(await cli.json(['login', '--quiet'])).toEqual({
      code: 1,
      out: [{ error: 'Too many requests.', status: 429, code: 'rate_limited' }],
      error: [shown, 'Wait 37 seconds.'],
    });
  });

  it('ends if the service answers 500', async () => {
    server.answer(refusal(500, 'Failed to start auth session (request_id: abc)'));
    expect(await cli.json(['login'])).toEqual({
      code: 1,
      out: [{ error: 'Failed to start auth session (request_id: abc)', status: 500 }],
      error: [],
    });
  });

  it('stores nothing if it is interrupted', async () => {
    server.answer(started, 'hang');
    const { person } = personWho();
    const ending = cli.run(['login'], { person, openBrowser: async () => cli.interrupt() });
    expect(await ending).toEqual({ code: 1, out: [shown], error: ['Login cancelled. Nothing was saved.'] });
    expect(await cli.files()).toEqual([]);
  });
});

describe('`affitor login` over an unreliable network', () => {
  it('tries each request up to three times, after waits of one and two seconds', async () => {
    server.answer('drop', 'drop', started, 'drop', complete);
    const { code, error } = await cli.run(['login', '--no-interactive']);
    expect({ code, tries: error.filter((line) => line.startsWith('Cannot')) }).toEqual({
      code: 0,
      tries: [
        `Cannot reach ${server.url}. Trying again in 1 s.`,
        `Cannot reach ${server.url}. Trying again in 2 s.`,
        `Cannot reach ${server.url}. Trying again in 1 s.`,
      ],
    });
  });

  it('fails after the third attempt', async () => {
    server.answer('drop', 'drop', 'drop', started);
    expect(await cli.json(['login', '--quiet'])).toEqual({
      code: 1,
      out: [{ error: expect.stringContaining(`Cannot reach ${server.url}: `), code: 'network_error' }],
      error: [
        'The address comes from SERVICE_API_URL. Is the service running there? --api-url <url> names another one.',
      ],
    });
    expect(cli.sleptMs).toEqual([1_000, 2_000]);
  });
});
