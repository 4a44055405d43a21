import { beforeEach, describe, expect, it } from 'vitest';
import { resolveApiUrl } from '#lib/apps/cli/login/api-url.ts';
import type { Invocation } from '#lib/apps/cli/commands/command.ts';
import { credentials, openedCli, personWho } from '#test/support/callers/cli.ts';
import { openedScriptedServer, refusal } from '#test/support/servers/scripted-server.ts';

const server = openedScriptedServer();
const cli = openedCli();

const resolved = (flags: Invocation['flags'], variables: Readonly<Record<string, string>>) => {
  const world = { environment: variables, folder: cli.folder, home: cli.home, now: () => 0 };
  return resolveApiUrl({ flags, world: world as unknown as Invocation['world'] });
};

const sentKeys = () => server.requests.map(({ headers }) => headers.authorization);
const at = () => ({ SERVICE_API_URL: server.url });

describe('the URL of the service that the command line calls', () => {
  const flag = 'https://flag.test';
  const environment = { SERVICE_API_URL: 'https://environment.test/' };

  it('comes from the first of these that has one: flag, environment, project file, login, default', async () => {
    const found = [await resolved({}, { SERVICE_API_URL: '' })];
    await cli.write('home/.service/credentials.json', { ...credentials, api_url: 'https://login.test' });
    found.push(await resolved({}, {}));
    await cli.write('my-saas/.service/config.json', { api_url: 'https://config.test' });
    found.push(
      await resolved({}, {}),
      await resolved({}, environment),
      await resolved({ 'api-url': flag }, environment),
    );
    expect(found).toEqual([
      { url: 'http://127.0.0.1:8787', source: 'the default' },
      { url: 'https://login.test', source: 'your login' },
      { url: 'https://config.test', source: '.service/config.json' },
      { url: 'https://environment.test', source: 'SERVICE_API_URL' },
      { url: flag, source: '--api-url' },
    ]);
  });

  it('must be a valid URL', async () => {
    expect(await cli.json(['login', '--api-url', 'referrals.test'])).toEqual({
      code: 1,
      out: [{ error: '--api-url must be an http or https address without user, query and fragment' }],
      error: [],
    });
  });

  it('causes an error if the project file that contains it is not valid JSON', async () => {
    await cli.write('my-saas/.service/config.json', '{');
    expect(await cli.json(['login'])).toEqual({
      code: 1,
      out: [
        {
          error: '.service/config.json is no JSON. Mend it, or remove the folder .service and run `affitor init`.',
          code: 'no_config',
        },
      ],
      error: [],
    });
  });
});

const stale =
  'If someone has replaced the key, get the current one from where your production keeps it. ' +
  'Regenerating stops every server that has the current key.';

describe('the program key that the command line sends', () => {
  const status = ['status', '--json'];

  it('comes from the first of these that is not blank: flag, environment, .env file of the project', async () => {
    const empty = { body: { data: {} } };
    server.answer(empty, empty, empty, empty);
    await cli.write('my-saas/.service/.env', 'SERVICE_API_KEY="aff_file"\n');
    await cli.run(status, { environment: at() });
    await cli.run(status, { environment: { ...at(), SERVICE_API_KEY: ' ' } });
    await cli.run(status, { environment: { ...at(), SERVICE_API_KEY: 'aff_environment' } });
    await cli.run([...status, '--api-key', 'aff_flag'], {
      environment: { ...at(), SERVICE_API_KEY: 'aff_environment' },
    });
    expect(sentKeys()).toEqual(['Bearer aff_file', 'Bearer aff_file', 'Bearer aff_environment', 'Bearer aff_flag']);
  });

  it('is required: without any source the command fails with advice', async () => {
    expect(await cli.json(['status'])).toEqual({
      code: 1,
      out: [
        {
          error: 'No program key. Pass --api-key, set SERVICE_API_KEY, or run `affitor init` to create a program.',
          code: 'no_config',
        },
      ],
      error: [],
    });
  });

  it.each([
    [{ api_url: 'https://referrals.test', program_id: 430 }, ' (https://referrals.test/programs/430/settings#api-key)'],
    [{}, ''],
  ])(
    'is reported as not generated yet, with advice to ask an owner, if .env has no key and the project file is %j',
    async (config, page) => {
      await cli.write('my-saas/.service/.env', 'SERVICE_API_KEY=\nSERVICE_PROGRAM_ID=430\n');
      await cli.write('my-saas/.service/config.json', config);
      const { code, out } = await cli.json(['test', 'click']);
      expect({ code, out }).toEqual({
        code: 1,
        out: [
          {
            error:
              'SERVICE_API_KEY in .service/.env is blank. ' +
              `A workspace owner generates the key in the dashboard, Settings → API Key${page}. Put it into .service/.env.`,
            code: 'no_config',
          },
        ],
      });
    },
  );

  it('causes an error that names its source, but does not contain the key, if it is malformed', async () => {
    const { out, error } = await cli.run(['status', '--json', '--api-key', 'aff 1 secret']);
    expect([...out, ...error].join('')).toBe(
      '{"error":"--api-key holds no program key: it has spaces or special characters in it"}',
    );
  });

  it('causes an error that names its source if the service refuses it', async () => {
    server.answer(refusal(401, 'Invalid API key. Ask a workspace owner to regenerate it.'));
    const environment = { ...at(), SERVICE_API_KEY: 'aff_secret' };
    expect(await cli.json(['status'], { environment })).toEqual({
      code: 1,
      out: [
        {
          error: 'Invalid API key. Ask a workspace owner to regenerate it. The refused key came from SERVICE_API_KEY.',
          status: 401,
        },
      ],
      error: [stale],
    });
  });

  it('is reported, if the service refuses it and the user is logged in, with the day on which it was replaced', async () => {
    server.answer(refusal(401, 'Invalid API key.'), { body: { data: { key_rotated_at: '2026-11-18T09:00:00.000Z' } } });
    await cli.logIn(server.url);
    await cli.write('my-saas/.service/config.json', { program_id: 430 });
    const { error } = await cli.json(['status', '--api-key', 'aff_old'], { environment: at() });
    expect(error).toEqual([
      stale.replace('If someone has replaced the key', "The program's key was last replaced on 2026-11-18"),
    ]);
    expect(sentKeys()).toEqual(['Bearer aff_old', 'Bearer lgn_secret']);
  });

  it('is reported, if it is retired, with the advice to ask an owner for a new key', async () => {
    const error = {
      code: 'api_key_rotation_required',
      message: 'This API key was retired on 2026-11-20.',
      hint: 'A workspace owner must create a new key in Settings → API Key.',
    };
    server.answer({ status: 401, body: { error } });
    await cli.write('my-saas/.service/.env', 'SERVICE_API_KEY=aff_old\n');
    const { out } = await cli.json(['test', 'sale'], { environment: at() });
    expect(out).toEqual([
      {
        error: `${error.message} ${error.hint} The refused key came from .service/.env.`,
        status: 401,
        code: 'api_key_rotation_required',
      },
    ]);
  });
});

const refused = () => ({
  code: 1,
  out: [
    {
      error: `.service/config.json names ${server.url}, and the program key comes from SERVICE_API_KEY. Nothing was sent.`,
    },
  ],
  error: [`If ${server.url} is your service, pass --api-url ${server.url}, or put the key into .service/.env.`],
});

describe('a service whose URL is only in a project file, which a stranger may have written,', () => {
  const environment = { SERVICE_API_KEY: 'aff_production' };
  beforeEach(async () => {
    server.answer({ body: { data: {} } });
    await cli.write('my-saas/.service/config.json', { api_url: server.url });
  });

  it('gets no key from the environment or the command line', async () => {
    expect(await cli.json(['status'], { environment })).toEqual(refused());
    expect(await cli.json(['status', '--auto-confirm'], { environment })).toEqual(refused());
    const given = await cli.json(['test', 'click', '--api-key', 'aff_production']);
    expect(given.out).toEqual([{ error: refused().out[0]!.error.replace('SERVICE_API_KEY', '--api-key') }]);
    expect(server.requests).toEqual([]);
  });

  it('gets the key that is stored in the same project', async () => {
    await cli.write('my-saas/.service/.env', 'SERVICE_API_KEY=aff_file\n');
    expect(await cli.json(['status'])).toMatchObject({ code: 0 });
    expect(sentKeys()).toEqual(['Bearer aff_file']);
  });

  it('gets the key if the user is logged in at the same URL', async () => {
    await cli.logIn(`${server.url}/`);
    expect(await cli.json(['status'], { environment })).toMatchObject({ code: 0 });
    expect(sentKeys()).toEqual(['Bearer aff_production']);
  });

  it('gets the key if the user confirms in the terminal', async () => {
    const question = `.service/config.json names ${server.url}. Send the program key from SERVICE_API_KEY there?`;
    const unwilling = personWho(false);
    expect(await cli.run(['status'], { environment, person: unwilling.person })).toMatchObject({ code: 1 });
    expect({ asked: unwilling.asked, sent: server.requests }).toEqual({ asked: [question], sent: [] });
    const willing = personWho(true);
    server.answer({ body: { data: { name: 'X', recent_events: {} } } });
    expect(await cli.run(['status'], { environment, person: willing.person })).toMatchObject({ code: 0 });
    expect(sentKeys()).toEqual(['Bearer aff_production']);
  });
});
