import { beforeEach, describe, expect, it } from 'vitest';
import { credentials, openCli, openedCli, personWho } from '#test/support/callers/cli.ts';
import { openedScriptedServer, refusal } from '#test/support/servers/scripted-server.ts';

const server = openedScriptedServer();
const cli = openedCli(server);
beforeEach(() => cli.logIn(server.url));

const keyPage = 'https://dashboard.test/programs/430/settings#api-key';
const program = {
  program_id: 430,
  program_slug: 'my-saas',
  name: 'My SaaS',
  domain: 'example.com',
  status: 'active',
  commission_type: 'recurring_percent',
  commission_rate: 20,
  duration_months: 12,
  attribution_window_days: 90,
  lead_auth: 'server_required',
  api_token_masked: 'aff_****wxyz',
  api_key_url: keyPage,
};
const created = { body: { data: program } };
const flags = ['--name', 'My SaaS', '--domain', 'example.com', '--commission-type', 'recurring_percent'];
const words = ['init', ...flags, '--commission-rate', '20'];
const optional = ['--duration-months', '12', '--attribution-window', '90'];
const loginFile = 'home/.service/credentials.json';
const sentBodies = () => server.requests.map(({ body }) => body);

describe('`affitor init`', () => {
  it('creates the program and prints its script tag, the API URLs and the next steps as JSON', async () => {
    server.answer(created);
    const { url } = server;
    const scriptTag = `<script async src="${url}/js/tracker.js" data-service-program-id="430"></script>`;
    expect(await cli.json([...words, ...optional])).toEqual({
      code: 0,
      out: [
        {
          program_id: 430,
          domain: 'example.com',
          status: 'created',
          api_key: null,
          api_key_url: keyPage,
          tracking: {
            script_tag: scriptTag,
            signup_call:
              "window.serviceQueue = window.serviceQueue || []; serviceQueue.push(['signup', customerKey, email]);",
            lead_api: `POST ${url}/api/v1/track/lead`,
            sale_api: `POST ${url}/api/v1/track/sale`,
          },
          next_steps: [
            `Put the tracker on every page: ${scriptTag}`,
            `Let a workspace owner generate the program key at ${keyPage} and put it into .service/.env as SERVICE_API_KEY.`,
            'Send signups and payments from your server: .service/AGENTS.md shows how, to people and to coding agents.',
            'Run `affitor test chain`, then `affitor status`.',
          ],
        },
      ],
      error: [],
    });
    expect(server.requests).toMatchObject([
      { method: 'POST', path: '/api/v1/cli/init', headers: { authorization: 'Bearer lgn_secret' } },
    ]);
    expect(sentBodies()).toEqual([
      {
        name: 'My SaaS',
        domain: 'example.com',
        commission_type: 'recurring_percent',
        commission_rate: 20,
        duration_months: 12,
        attribution_window_days: 90,
      },
    ]);
  });

  it('writes the project’s files: configuration, .env, ignore file and instructions', async () => {
    server.answer(created);
    await cli.write('my-saas/.gitignore', 'node_modules\n.service/.env\n');
    await cli.run(words);
    expect(await cli.files()).toEqual([
      loginFile,
      'my-saas/.gitignore',
      'my-saas/.service/.env',
      'my-saas/.service/.env.example',
      'my-saas/.service/AGENTS.md',
      'my-saas/.service/config.json',
      'my-saas/.service/skills.md',
    ]);
    expect(await cli.read('my-saas/.service/.env')).toBe(
      'SERVICE_API_KEY=\nSERVICE_PROGRAM_ID=430\nSTRIPE_CONNECTED_ACCOUNT_ID=\n',
    );
    expect(await cli.modeOf('my-saas/.service/.env')).toBe('600');
    expect(await cli.read('my-saas/.service/.env.example')).toBe(
      '# Copy to .env, which is not committed. A workspace owner generates the key in the dashboard, Settings → API Key.\n' +
        'SERVICE_API_KEY=your-program-key\nSERVICE_PROGRAM_ID=your-program-id\n' +
        'STRIPE_CONNECTED_ACCOUNT_ID=your-stripe-account-id-if-connected\n',
    );
    expect(await cli.read('my-saas/.gitignore')).toBe(
      'node_modules\n.service/.env\n.service/.env.*\n!.service/.env.example\n',
    );
    expect(JSON.parse(await cli.read('my-saas/.service/config.json'))).toEqual({
      version: 1,
      program_id: 430,
      domain: 'example.com',
      commission: { type: 'recurring_percent', rate: 20, duration_months: 12 },
      cookie: { name: 'service_click_id', duration_days: 90 },
      ref_param: 'aff',
      api_url: server.url,
      created_at: '2026-11-20T15:00:00.000Z',
    });
  });

  it('writes instructions for people and agents that contain no secret', async () => {
    server.answer(created);
    await cli.run(words);
    const guide = await cli.read('my-saas/.service/AGENTS.md');
    expect(await cli.read('my-saas/.service/skills.md')).toBe(guide);
    const contents = [
      '| Program id | 430 |',
      '| Domain | example.com |',
      '| Commission | 20% of each sale, renewals for 12 months |',
      '| Attribution window | 90 days |',
      `| Base URL | ${server.url} |`,
      `\`SERVICE_API_KEY\` in \`.service/.env\`, which is not committed. A workspace owner generates it at ${keyPage} |`,
      `<script async src="${server.url}/js/tracker.js" data-service-program-id="430"></script>`,
      "serviceQueue.push(['signup', customerKey, email])",
      `curl ${server.url}/api/v1/track/lead`,
      `curl ${server.url}/api/v1/track/stripe`,
      `curl ${server.url}/api/v1/track/sale`,
      'subscription_data: { metadata }',
      '| Browser tracker | first argument of `signup` |',
      '| Lead API | `customer_key` |',
      '| Sale API | `customer_key` |',
      '| Processor metadata | `service_customer_key` |',
      '6. The click id is in a first-party cookie',
      '| `affitor test chain` |',
      '| POST | `/api/v1/track/refund` | program key |',
      '| POST | `/api/v1/track/stripe` | program key |',
      '<your program id>',
    ];
    expect(contents.filter((part) => !guide.includes(part))).toEqual([]);
    expect(guide).not.toMatch(/aff_|lgn_|undefined|null|NaN/);
  });

  it('prints the commission, the names of the written files and the next steps as text', async () => {
    server.answer({ body: { data: { ...program, duration_months: 0 } } });
    const { code, out, error } = await cli.run(words);
    expect({ code, error }).toEqual({ code: 0, error: [] });
    expect(out[0]!.split('\n').slice(0, 5)).toEqual([
      'Created program 430: My SaaS (example.com).',
      'Partners earn 20% of each sale, renewals included; clicks count for 90 days.',
      'Wrote .gitignore, .service/.env, .service/.env.example, .service/AGENTS.md, .service/skills.md, .service/config.json.',
      '',
      'Next:',
    ]);
    expect(JSON.parse(await cli.read('my-saas/.service/config.json'))).toMatchObject({
      commission: { duration_months: null },
    });
  });
});

describe('`affitor init` in a folder that already has a configuration', () => {
  const rest =
    'init creates a new program; it restores neither this one nor its key. ' +
    'A lost key is regenerated by a workspace owner in the dashboard, Settings → API Key.';

  it.each([
    ['.service/config.json', '{"program_id":430}', ' for program 430'],
    ['.service/.env', 'SERVICE_API_KEY=aff_only_copy', ''],
  ])('ends with an error if %s exists, does not change that file and creates no program', async (path, text, which) => {
    server.answer(created);
    await cli.write(`my-saas/${path}`, text);
    const error = `This folder is configured already${which}: it has ${path}. ${rest}`;
    expect(await cli.json(['init'])).toEqual({ code: 1, out: [{ error, code: 'already_configured' }], error: [] });
    expect(server.requests).toEqual([]);
    expect(await cli.read(`my-saas/${path}`)).toBe(text);
  });
});

describe('`affitor init` without a terminal', () => {
  const advice = 'In a terminal, without --json and --no-interactive, they are asked for.';

  it.each([
    [[], '--name, --domain, --commission-type, --commission-rate'],
    [['--name', ' ', '--domain', 'example.com', '--commission-type', 'percent'], '--name, --commission-rate'],
  ])('fails with %j, and names the flags that are missing', async (given, missing) => {
    const { person, asked } = personWho('anything');
    const failed = {
      code: 1,
      out: [{ error: `Missing options: ${missing}`, code: 'missing_options' }],
      error: [advice],
    };
    expect(await cli.json(['init', ...given], { person })).toEqual(failed);
    expect(await cli.run(['init', '--no-interactive', ...given], { person })).toMatchObject({ code: 1, out: [] });
    expect(asked).toEqual([]);
  });

  it('refuses a value that is not a number where a number is required', async () => {
    const { out } = await cli.json(['init', ...flags, '--commission-rate', '20%']);
    expect(out).toEqual([{ error: '--commission-rate must be a number' }]);
  });

  it('asks the user to log in first', async () => {
    await cli.run(['logout', '--api-url', 'http://127.0.0.1:1']);
    expect(await cli.json(words)).toMatchObject({ code: 1, out: [{ code: 'not_logged_in' }] });
  });
});

describe('a user who runs `affitor init` in a terminal', () => {
  it('is asked for each value that no flag gives', async () => {
    server.answer(created);
    const { person, asked } = personWho('My SaaS', 'example.com', 'recurring_percent', '20', '12', '90', true);
    expect(await cli.run(['init'], { person })).toMatchObject({ code: 0 });
    expect(asked).toEqual([
      'Name of the program',
      'Domain of your website',
      'What do partners earn?',
      'How much? In percent of the payment',
      'For how many months? 0 for as long as the customer pays',
      'Days between click and signup that still count',
      'Partners earn 20% of each sale, renewals for 12 months. Create the program "My SaaS" for example.com?',
    ]);
    expect(sentBodies()).toEqual([
      {
        name: 'My SaaS',
        domain: 'example.com',
        commission_type: 'recurring_percent',
        commission_rate: 20,
        duration_months: 12,
        attribution_window_days: 90,
      },
    ]);
  });

  it('is not asked for a number of months if renewals earn no commission', async () => {
    server.answer(created);
    const { person, asked } = personWho('fixed', '50', '60', true);
    await cli.run(['init', '--name', 'My SaaS', '--domain', 'example.com'], { person });
    expect(asked).toEqual([
      'What do partners earn?',
      'How much? In units of the currency: 50 is 50.00',
      'Days between click and signup that still count',
      'Partners earn 50 (in units of the currency) per sale, renewals excluded. Create the program "My SaaS" for example.com?',
    ]);
  });

  it('can create a program as a sandbox, and the output says that it is one', async () => {
    server.answer(created);
    const { person, asked } = personWho(true);
    const { code, out } = await cli.run([...words, '--sandbox'], { person });
    expect(code).toBe(0);
    expect(asked).toEqual([
      'Partners earn 20% of each sale, renewals included. Create the sandbox "My SaaS" for example.com?',
    ]);
    expect(sentBodies()).toMatchObject([{ name: 'My SaaS', sandbox: true }]);
    expect(out[0]).toMatch(/^Created sandbox program 430: /);
    expect(await cli.read('my-saas/.service/AGENTS.md')).toContain('| Sandbox | For rehearsals: ');
  });

  it('is only asked for confirmation if all flags are given, and for nothing with --auto-confirm', async () => {
    server.answer(created);
    const { person, asked } = personWho(false);
    expect(await cli.run(words, { person })).toEqual({ code: 1, out: [], error: ['Cancelled. Nothing was changed.'] });
    expect(asked).toEqual([
      'Partners earn 20% of each sale, renewals included. Create the program "My SaaS" for example.com?',
    ]);
    expect(server.requests).toEqual([]);
    expect(await cli.run([...words, '--auto-confirm'], { person })).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(1);
  });

  it('is warned, before confirming, that a domain with www. does not include other subdomains', async () => {
    const { person } = personWho(false);
    const www = ['--name', 'My SaaS', '--domain', 'www.example.com', '--commission-type', 'fixed'];
    expect(await cli.run(['init', ...www, '--commission-rate', '5'], { person })).toEqual({
      code: 1,
      out: [],
      error: [
        'Leave out www. of the domain to allow your other subdomains too. The dashboard’s settings change it later.',
        'Cancelled. Nothing was changed.',
      ],
    });
  });

  it('can cancel, which creates neither files nor a program', async () => {
    server.answer(created);
    const { person } = personWho('My SaaS');
    expect(await cli.run(['init'], { person })).toMatchObject({ code: 1, error: ['Cancelled. Nothing was changed.'] });
    expect(server.requests).toEqual([]);
    expect(await cli.files()).toEqual([loginFile]);
  });

  it('sees the error about the missing login before any question', async () => {
    const stranger = await openCli({ apiUrl: server.url });
    const { person, asked } = personWho('My SaaS');
    expect(await stranger.run(['init'], { person })).toMatchObject({
      code: 1,
      error: [expect.stringMatching(/^You are not logged in/)],
    });
    expect(asked).toEqual([]);
    await stranger.close();
  });
});

const advice = () =>
  `Create a workspace in the dashboard (${server.url}), or accept an invitation there, then run this again.`;
const me = (workspace: object | null, invitations: object[] = []) => ({
  body: { data: { account: { email: credentials.email }, workspace, invitations } },
});

describe('`affitor init` for a user without a workspace', () => {
  const workspace = { id: 9, name: 'Acme', role: 'owner' };

  beforeEach(() => cli.write(loginFile, { ...credentials, api_url: server.url, advertiser_id: null }));

  it.each([[['init']], [words]])('reports a missing login before any question: %j', async (typed) => {
    const message = 'You belong to no workspace, and a program needs one.';
    server.answer(me(null));
    expect(await cli.json(typed)).toEqual({ code: 1, out: [{ error: message }], error: [advice()] });
    server.answer(me(null, [{ name: 'Acme' }]));
    const { person, asked } = personWho('My SaaS');
    const invited = `${message} You are invited to Acme.`;
    expect(await cli.run(typed, { person })).toEqual({ code: 1, out: [], error: [invited, advice()] });
    expect(asked).toEqual([]);
    expect(await cli.files()).toEqual([loginFile]);
  });

  it('can continue if a workspace was created in the dashboard after the login', async () => {
    server.answer(me(workspace), created);
    expect(await cli.json(words)).toMatchObject({ code: 0 });
    expect(JSON.parse(await cli.read(loginFile))).toMatchObject({ advertiser_id: 9 });
  });

  it('is offered to create a workspace', async () => {
    server.answer(me(null), { body: { data: workspace } }, me(workspace), created);
    const { person, asked } = personWho(true, 'Acme', true);
    expect(await cli.run(words, { person })).toMatchObject({ code: 0 });
    expect(asked.slice(0, 2)).toEqual([
      'You have no workspace yet, and a program needs one. Create it now?',
      'Name of your workspace, such as your company',
    ]);
    expect(server.requests[1]).toMatchObject({
      method: 'POST',
      path: '/api/dashboard/v1/workspace',
      body: { name: 'Acme' },
    });
    expect(JSON.parse(await cli.read(loginFile))).toMatchObject({ advertiser_id: 9 });
  });

  it('sees the service’s refusal and the advice to create a workspace if the login’s workspace no longer exists', async () => {
    server.answer(refusal(403, 'No advertiser account found for this user'));
    expect(await cli.json(words)).toEqual({
      code: 1,
      out: [{ error: 'No advertiser account found for this user', status: 403 }],
      error: [advice()],
    });
  });
});

describe('if `affitor init` cannot create the program, it', () => {
  const look = '`affitor programs` shows whether the program was created. Look there before you try again.';

  it('reports the service’s refusal', async () => {
    server.answer(refusal(400, 'commission_rate must be a positive number'));
    expect(await cli.json(words)).toEqual({
      code: 1,
      out: [{ error: 'commission_rate must be a positive number', status: 400 }],
      error: [],
    });
    expect(await cli.files()).toEqual([loginFile]);
  });

  it('does not try again after the connection was lost, because the program may exist', async () => {
    server.answer('drop', created);
    expect(await cli.json(words)).toEqual({
      code: 1,
      out: [{ error: expect.stringContaining('Cannot reach'), code: 'network_error' }],
      error: [look],
    });
    expect(server.requests).toHaveLength(1);
  });

  it('advises to look for the program before trying again if the service answered 500', async () => {
    server.answer(refusal(500, 'Failed to create program (request_id: abc)'), created);
    expect(await cli.json(words)).toEqual({
      code: 1,
      out: [{ error: 'Failed to create program (request_id: abc)', status: 500 }],
      error: [look],
    });
    expect(server.requests).toHaveLength(1);
  });

  it('does not call the service if the folder is not writable', async () => {
    server.answer(created);
    await cli.write('my-saas/.service', 'a file where the folder should be');
    expect(await cli.json(words)).toMatchObject({ code: 1, out: [{ error: expect.stringContaining('EEXIST') }] });
    expect(server.requests).toEqual([]);
  });

  it('says, if a later step fails, that the program exists and that running init again would create a second one', async () => {
    server.answer(created);
    await cli.write('my-saas/.gitignore/no-file', '');
    expect(await cli.json(words)).toEqual({
      code: 1,
      out: [
        {
          error: expect.stringMatching(
            /^Program 430 was created, but its files could not be written: EISDIR.*\. Its key is generated at https:\S+$/,
          ),
        },
      ],
      error: ['Do not run init again: it would create another program.'],
    });
  });
});
