import { beforeEach, describe, expect, it } from 'vitest';
import { openedCli } from '#test/support/callers/cli.ts';
import { openedScriptedServer } from '#test/support/servers/scripted-server.ts';

const server = openedScriptedServer();
const cli = openedCli(server);

const key = ['--api-key', 'aff_1_key'];

describe('`affitor programs`', () => {
  const program = {
    id: 430,
    name: 'My SaaS',
    slug: 'my-saas',
    domain: 'example.com',
    status: 'active',
    commission: '20% recurring (12 months)',
    attribution_window_days: 60,
    api_token_masked: 'aff_****wxyz',
    partners: 5,
  };
  beforeEach(() => cli.logIn(server.url));

  it('lists the programs', async () => {
    server.answer({ body: { data: [program] } }, { body: { data: [program] } });
    expect(await cli.json(['programs'])).toEqual({ code: 0, out: [{ programs: [program] }], error: [] });
    expect((await cli.run(['programs'])).out[0]!.split('\n')).toEqual([
      'ID   NAME     DOMAIN       COMMISSION                 WINDOW   PARTNERS  KEY',
      '430  My SaaS  example.com  20% recurring (12 months)  60 days  5         aff_****wxyz',
    ]);
    expect(server.requests[0]).toMatchObject({
      path: '/api/v1/cli/programs',
      headers: { authorization: 'Bearer lgn_secret' },
    });
  });

  it('removes control characters from names, which other users chose, before it prints them', async () => {
    const hostile = '\u001b[31mred\u009b2J\u202egnp.exe';
    server.answer({ body: { data: [{ ...program, name: hostile }] } });
    const { out } = await cli.run(['programs']);
    // oxlint-disable-next-line no-control-regex -- these are what must not be there
    expect(out.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(out.join('\n')).toContain('\ufffd[31mred\ufffd2J\ufffdgnp.exe');
  });

  it('suggests `affitor init` if there are no programs', async () => {
    server.answer({ body: { data: [] } });
    expect(await cli.run(['programs'])).toEqual({
      code: 0,
      out: ['No program yet. `affitor init` creates one.'],
      error: [],
    });
  });
});

describe('`affitor status`', () => {
  const data = {
    program_id: 430,
    name: 'My SaaS',
    domain: 'example.com',
    stripe_connected: false,
    stripe_charges_enabled: false,
    recent_events: { clicks_24h: 3, leads_24h: 2, sales_24h: 1 },
    active_partners: 5,
    pending_commissions: 4,
    lead_auth: 'server_required',
    integration_verified: false,
  };

  it('prints the service’s reply as JSON', async () => {
    server.answer({ body: { data } });
    expect(await cli.json(['status', '--quiet', ...key])).toEqual({ code: 0, out: [data], error: [] });
    expect(server.requests).toMatchObject([
      { method: 'GET', path: '/api/v1/cli/status', headers: { authorization: 'Bearer aff_1_key' } },
    ]);
  });

  it('prints the service’s reply as text with the next steps', async () => {
    server.answer({ body: { data } });
    const { out, error } = await cli.run(['status', ...key]);
    expect(out).toEqual([
      [
        'My SaaS (program 430, example.com)',
        '',
        'Last 24 hours        3 clicks, 2 leads, 1 sale',
        'Active partners      5',
        'Pending commissions  4',
        'Leads                confirmed by your server',
        'Stripe               not connected',
        'Integration          not verified yet',
      ].join('\n'),
    ]);
    expect(error).toEqual(['Next: `affitor test chain` sends a click, a lead and a sale through the service.']);
  });

  it('prints no next steps if all are done', async () => {
    const done = { lead_auth: 'browser_allowed', stripe_connected: true, integration_verified: true };
    server.answer({ body: { data: { ...data, ...done } } });
    const { out, error } = await cli.run(['status', ...key]);
    expect(out[0]!.split('\n').slice(5)).toEqual([
      'Leads                from browsers and servers',
      'Stripe               connected, charges not enabled',
      'Integration          verified',
    ]);
    expect(error).toEqual([]);
  });
});

describe('`affitor test`', () => {
  it.each(['click', 'lead', 'sale'])('sends one test event with the argument %s', async (event) => {
    const data = { event_type: event, event_id: 881, received: true, message: `Test ${event} event recorded` };
    server.answer({ body: { data } }, { body: { data } });
    expect(await cli.json(['test', event, ...key])).toEqual({ code: 0, out: [data], error: [] });
    expect(server.requests[0]).toMatchObject({ path: '/api/v1/cli/test-event', body: { event_type: event } });
    const { out } = await cli.run(['test', event, ...key]);
    expect(out).toEqual([`Test ${event} event recorded (event 881). It counts for the checklist, and for no partner.`]);
  });

  const chain = { type: 'chain', verdict: { click: 'attributed', lead: 'attributed', sale: 'attributed' } };

  it('succeeds with the argument chain if the test sale is attributed', async () => {
    const data = { ...chain, attributed: true };
    server.answer({ body: { data } }, { body: { data } });
    expect(await cli.json(['test', 'chain', ...key])).toEqual({ code: 0, out: [data], error: [] });
    expect(server.requests[0]).toMatchObject({ body: { type: 'chain' } });
    const { out } = await cli.run(['test', 'chain', ...key]);
    expect(out[0]).toContain('sale   attributed\n\nThe chain holds');
  });

  it('fails with the argument chain if the test sale is not attributed, and prints the step that failed', async () => {
    const data = { ...chain, verdict: { ...chain.verdict, sale: 'wrong_partner' }, attributed: false };
    server.answer({ body: { data } }, { body: { data } });
    expect(await cli.json(['test', 'chain', ...key])).toEqual({ code: 1, out: [data], error: [] });
    expect(await cli.run(['test', 'chain', ...key])).toMatchObject({
      code: 1,
      out: [expect.stringContaining('sale   wrong_partner\n\nThe chain is broken')],
    });
  });

  it('prints with the argument chain how long to wait if the rate limit is exceeded', async () => {
    const error = {
      status: 429,
      code: 'rate_limited',
      message: 'Too many synthetic chains.',
      retry_after_seconds: 1_250,
    };
    server.answer({ status: 429, headers: { 'Retry-After': '1250' }, body: { error } });
    expect(await cli.json(['test', 'chain', ...key])).toEqual({
      code: 1,
      out: [{ error: 'Too many synthetic chains.', status: 429, code: 'rate_limited' }],
      error: ['Wait 1250 seconds (21 minutes).'],
    });
  });

  it.each([
    [['test'], 'Which test event? Valid: click, lead, sale, chain'],
    [['test', 'refund'], 'There is no such test event. Valid: click, lead, sale, chain'],
  ])('refuses the arguments %j without calling the service', async (words, error) => {
    expect(await cli.json(words)).toEqual({ code: 1, out: [{ error, code: 'invalid_event_type' }], error: [] });
  });
});

describe('the command affitor', () => {
  const warnings = [
    {
      code: 'api_key_rotation_required',
      message: 'This API key must be replaced by 2026-12-01.',
      hint: 'A workspace owner can create a new key.',
    },
  ];

  it('prints a warning of the service once, beside the result, even with --quiet', async () => {
    server.answer({ body: { data: { event_id: 1 }, warnings: [...warnings, ...warnings] } });
    expect(await cli.json(['test', 'click', '--quiet', ...key])).toEqual({
      code: 0,
      out: [{ event_id: 1 }],
      error: ['This API key must be replaced by 2026-12-01. A workspace owner can create a new key.'],
    });
  });

  it('prints a warning of the service even if the request fails', async () => {
    server.answer({ status: 400, body: { data: null, error: { message: 'No' }, warnings } });
    expect(await cli.json(['test', 'click', ...key])).toEqual({
      code: 1,
      out: [{ error: 'No', status: 400 }],
      error: ['This API key must be replaced by 2026-12-01. A workspace owner can create a new key.'],
    });
  });

  it('prints its requests with --verbose, without secrets', async () => {
    const failed = { status: 500, headers: { 'X-Request-ID': 'abc' }, body: { error: { message: 'Failed' } } };
    server.answer('drop', failed);
    const { error } = await cli.run(['status', '--verbose', '--quiet', ...key]);
    expect(error).toEqual([
      'GET /api/v1/cli/status → no reply in 0 ms',
      'GET /api/v1/cli/status → 500, request abc in 0 ms',
      'Failed',
    ]);
  });

  it('prints its version and its usage', async () => {
    expect(await cli.run(['--version'])).toEqual({ code: 0, out: ['1.2.3'], error: [] });
    expect(await cli.json(['--version'])).toEqual({ code: 0, out: [{ version: '1.2.3' }], error: [] });
    const { code, out } = await cli.run(['init', '--help']);
    expect(code).toBe(0);
    expect(out[0]).toContain(
      '--commission-type <t>        percent or fixed (renewals excluded), recurring_percent or recurring_fixed',
    );
    expect((await cli.run(['--help'])).out[0]).toContain('affitor test click|lead|sale|chain');
  });

  it('fails without a command', async () => {
    expect(await cli.run([])).toEqual({
      code: 1,
      out: [],
      error: ['Which command?', expect.stringContaining('Usage: affitor <command> [flags]')],
    });
    expect(await cli.run(['--json', '--nonsense'])).toEqual({
      code: 1,
      out: [`{"error":"Unknown option '--nonsense'"}`],
      error: ['`affitor --help` shows the commands and their flags.'],
    });
  });
});
