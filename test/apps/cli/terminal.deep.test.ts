import { resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openedCli } from '#test/support/callers/cli.ts';
import { compiledCode } from '#test/support/servers/compiled-code.ts';
import { openedScriptedServer } from '#test/support/servers/scripted-server.ts';
import { keys, openTerminal } from '#test/support/callers/logins/terminal.ts';

// The real prompts and the real spinner, with simulated typing.

const server = openedScriptedServer();
const cli = openedCli();

const affitor = (words: string, environment: Readonly<Record<string, string>> = {}) =>
  openTerminal(`${process.execPath} ${resolve('bin/affitor.ts')} ${words}`, {
    folder: cli.folder,
    environment: { HOME: cli.home, SERVICE_API_URL: server.url, ...compiledCode, ...environment },
  });

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
// No page over plain HTTP is opened, so no browser starts on the test machine.
const started = { body: { data: { state: 's', auth_url: 'http://dashboard.test/login', expires_at: inAnHour } } };
const complete = {
  body: { data: { status: 'complete', token: 'lgn_secret', email: 'owner@acme.test', advertiser_id: 7 } },
};
const program = {
  program_id: 430,
  name: 'my-saas',
  domain: 'example.com',
  commission_type: 'fixed',
  commission_rate: 50,
  attribution_window_days: 60,
  lead_auth: 'server_required',
  api_key_url: 'https://dashboard.test/programs/430/settings#api-key',
};

describe('`affitor login` in a terminal', () => {
  it('shows that it is waiting until the user has signed in', async () => {
    server.answer(started, complete);
    const terminal = affitor('login');
    await terminal.shows('http://dashboard.test/login');
    await terminal.shows('Waiting for you to sign in');
    await terminal.shows('Logged in as owner@acme.test.');
    expect(await terminal.end()).toMatchObject({ code: 0 });
    expect(await cli.modeOf('home/.service/credentials.json')).toBe('600');
  });

  it('exits with 1 on Ctrl-C and stores nothing', async () => {
    server.answer(started, 'hang');
    const terminal = affitor('login');
    await terminal.shows('Waiting for you to sign in');
    terminal.type(keys.ctrlC);
    const { code, shown } = await terminal.end();
    expect(code).toBe(1);
    expect(shown).toContain('Login cancelled. Nothing was saved.');
    expect(await cli.files()).toEqual([]);
  });
});

describe('`affitor init` in a terminal', () => {
  beforeEach(() => cli.logIn(server.url));

  it('asks for each value, validates it and creates the program', async () => {
    server.answer({ body: { data: program } });
    const terminal = affitor('init');
    await terminal.shows('Name of the program');
    terminal.type(keys.enter);
    await terminal.shows('Domain of your website');
    terminal.type(keys.enter);
    await terminal.shows('Type a domain, such as example.com.');
    terminal.type(`example.com${keys.enter}`);
    await terminal.shows('What do partners earn?');
    terminal.type(`${keys.down}${keys.down}${keys.down}${keys.enter}`);
    await terminal.shows('How much? In units of the currency: 50 is 50.00');
    terminal.type(`50${keys.enter}`);
    await terminal.shows('Days between click and signup that still count');
    terminal.type(keys.enter);
    await terminal.shows('Partners earn 50 (in units of the currency) per sale, renewals excluded.');
    terminal.type(keys.enter);
    const { code, shown } = await terminal.end();
    expect(code).toBe(0);
    expect(shown).toContain('Created program 430: my-saas (example.com).');
    expect(server.requests.map(({ body }) => body)).toEqual([
      {
        name: 'my-saas',
        domain: 'example.com',
        commission_type: 'fixed',
        commission_rate: 50,
        attribution_window_days: 60,
      },
    ]);
    expect(await cli.modeOf('my-saas/.service/.env')).toBe('600');
  });

  it('refuses a commission of more than 100 percent, and prints which numbers are allowed', async () => {
    server.answer();
    const terminal = affitor('init --name my-saas --domain example.com');
    await terminal.shows('What do partners earn?');
    terminal.type(keys.enter);
    await terminal.shows('How much? In percent of the payment');
    terminal.type(`500${keys.enter}`);
    await terminal.shows('Type a number above 0 and up to 100, such as 20.');
    terminal.type(keys.ctrlC);
    expect(await terminal.end()).toMatchObject({ code: 1 });
    expect(server.requests).toEqual([]);
  });

  it('exits with 1 on Ctrl-C, changes nothing and prints no colours with NO_COLOR', async () => {
    server.answer();
    const terminal = affitor('init', { NO_COLOR: '1' });
    await terminal.shows('Name of the program');
    terminal.type(keys.ctrlC);
    const { code, shown, written } = await terminal.end();
    expect(code).toBe(1);
    expect(shown).toContain('Cancelled. Nothing was changed.');
    // oxlint-disable-next-line no-control-regex -- the escape character begins a colour
    expect(written).not.toMatch(/\u001b\[[\d;]*m/);
    expect(server.requests).toEqual([]);
    expect(await cli.files()).toEqual(['home/.service/credentials.json']);
  });
});

describe('`affitor listen` in a terminal', () => {
  beforeEach(() => cli.logIn(server.url));

  it('prints events until Ctrl-C, and ends with exit code 0', async () => {
    const event = {
      id: 'evt_1',
      type: 'sale.recorded',
      timestamp: new Date().toISOString(),
      data: { program_id: 1, is_test: false },
    };
    const meta = { next_cursor: null };
    server.answer({ body: { data: [], meta } }, { body: { data: [event], meta } }, 'hang');
    const terminal = affitor('listen --program 1');
    await terminal.shows(`${event.timestamp}  sale.recorded  evt_1`);
    terminal.type(keys.ctrlC);
    const { code, shown } = await terminal.end();
    expect(code).toBe(0);
    expect(shown).toContain('Stopped. Events: 1.');
  });
});
