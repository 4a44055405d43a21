import { beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyWebhook } from '#lib/apps/client/referral-client.ts';
import { openedCli } from '#test/support/callers/cli.ts';
import { openedScriptedServer, refusal } from '#test/support/servers/scripted-server.ts';

const server = openedScriptedServer();
const receiver = openedScriptedServer();
const cli = openedCli(server);
beforeEach(async () => {
  await cli.logIn(server.url);
  receiver.answer();
});

/** A time that is some seconds after the start of the command. */
const at = (seconds: number) => new Date(Date.parse('2026-11-20T15:00:00.000Z') + seconds * 1_000).toISOString();
const eventAt = (seconds: number, type = 'sale.recorded') => ({
  id: `evt_${seconds + 1_000}`,
  type,
  timestamp: at(seconds),
  data: { program_id: 1, is_test: false, id: seconds, partner_name: 'Zoë' },
});
const page = (events: object[] = [], next_cursor: string | null = null) => ({
  body: { data: events, meta: { next_cursor } },
});
/** The reply that ends the command. */
const loggedOut = refusal(401, 'Invalid or expired token');
const end = {
  code: 1,
  error: expect.arrayContaining(['Invalid or expired token', 'Run `affitor login`.']),
};
const listening = 'Listening to program 1. Ctrl-C ends it.';
const shown = ({ timestamp, type, id }: ReturnType<typeof eventAt>) => `${timestamp}  ${type}  ${id}  Zoë`;
const words = ['listen', '--program', '1'];
const forwarding = () => [...words, '--forward', `${receiver.url}/hooks?from=affitor`];

describe('`affitor listen`', () => {
  it('prints each new event once, even if events arrive late or out of order', async () => {
    const [before, late, first, second] = [eventAt(-60), eventAt(-1), eventAt(1), eventAt(2)];
    server.answer(
      page([before]),
      page([before, second]),
      page([before, late, first, second]),
      page([before, late, first, second]),
      loggedOut,
    );
    const { code, out, error } = await cli.run(words);
    expect({ code, out, error }).toEqual({ ...end, out: [listening, shown(second), shown(late), shown(first)] });
    expect(server.requests[0]).toMatchObject({ headers: { authorization: 'Bearer lgn_secret' } });
    expect(server.requests.map(({ path }) => new URL(path!, server.url).searchParams.get('since'))).toEqual([
      at(-180),
      at(-180),
      // After the first poll, each poll asks for events from three minutes before the newest event.
      at(-178),
      at(-178),
      at(-178),
    ]);
    expect(cli.sleptMs).toEqual([2_000, 2_000, 2_000, 2_000]);
  });

  it('reads all pages of new events, and polls less often when there were several pages', async () => {
    const [first, second, third] = [eventAt(1), eventAt(2), eventAt(3)];
    server.answer(page(), page([first, second], 'next'), page([third]), loggedOut);
    const { out } = await cli.run(words);
    expect(out.slice(1)).toEqual([first, second, third].map(shown));
    expect(new URL(server.requests[2]!.path!, server.url).searchParams.get('cursor')).toBe('next');
    expect(cli.sleptMs).toEqual([2_000, 4_000]);
  });

  it('asks for events by the clock of the service, even after that clock is changed', async () => {
    const [today, inMay] = [eventAt(1), eventAt(15_000_000)];
    server.answer(page(), page([today]), page([today, inMay]), page([inMay]), loggedOut);
    const { out } = await cli.run(words);
    expect(out.slice(1)).toEqual([today, inMay].map(shown));
    expect(server.requests.at(-1)!.path).toContain(encodeURIComponent(at(15_000_000 - 180)));
  });

  it('prints only events of the types that --events names', async () => {
    const [sale, lead, paid] = [eventAt(1), eventAt(2, 'lead.recorded'), eventAt(3, 'commission.paid')];
    server.answer(page(), page([sale, lead, paid]), loggedOut);
    const { out } = await cli.run([...words, '--events', 'sale.recorded, commission.paid']);
    expect(out.slice(1)).toEqual([sale, paid].map(shown));
  });

  it('prints one JSON object per line with --json', async () => {
    const event = eventAt(1);
    server.answer(page(), page([event]), loggedOut);
    receiver.answer({ status: 204, body: '' });
    const { out } = await cli.json(forwarding());
    expect(out).toEqual([
      { program_id: 1, forward: `${receiver.url}/hooks?from=affitor`, secret: expect.stringMatching(/^whsec_.{44}$/) },
      { event, attempts: [{ status_code: 204, error: null, duration_ms: 0 }] },
      { error: 'Invalid or expired token', status: 401 },
    ]);
  });

  it('continues after temporary failures of the service', async () => {
    const event = eventAt(1);
    const busy = { ...refusal(429, 'Too many requests'), headers: { 'Retry-After': '17' } };
    server.answer(page(), refusal(500, 'Internal error'), busy, 'drop', page([event]), loggedOut);
    const { out, error } = await cli.run(words);
    expect(out.slice(1)).toEqual([shown(event)]);
    expect(error.slice(0, 3)).toEqual([
      'Internal error. Asking again in 5 s.',
      'Too many requests. Asking again in 17 s.',
      expect.stringMatching(/^Cannot reach .*\. Asking again in 5 s\.$/),
    ]);
    expect(cli.sleptMs).toEqual([2_000, 5_000, 17_000, 5_000, 2_000]);
  });

  it('ends with exit code 0 on Ctrl-C', async () => {
    const event = eventAt(1);
    server.answer(page(), page([event]), 'hang');
    receiver.answer({ status: 200 });
    const running = cli.run(forwarding());
    await vi.waitFor(() => expect(server.requests).toHaveLength(3));
    cli.interrupt();
    const { code, out, error } = await running;
    expect({ code, out: out.at(-1), error }).toEqual({
      code: 0,
      out: 'Stopped. Events: 1, 1 of them taken by the receiver.',
      error: [],
    });
  });
});

describe('the URL in --forward, to which `affitor listen` sends events,', () => {
  it('gets each event in the form of the service’s webhooks, signed with the secret that is printed', async () => {
    const events = [eventAt(1), eventAt(2)];
    server.answer(page(), page(events), loggedOut);
    receiver.answer({ status: 200 }, { status: 201 });
    const { out } = await cli.run(forwarding());
    const [secret] = /whsec_\S+/.exec(out[0]!) ?? [];
    expect(out).toEqual([
      `Listening to program 1. Forwarding to ${receiver.url}/hooks?from=affitor, signed with\n\n  ${secret}\n\nCtrl-C ends it.`,
      shown(events[0]!),
      '  → 200 in 0 ms',
      shown(events[1]!),
      '  → 201 in 0 ms',
    ]);
    const now = new Date(at(2));
    expect(
      receiver.requests.map(({ method, path, headers, body }) => {
        const type = headers['content-type'];
        return { method, path, type, event: verifyWebhook(JSON.stringify(body), headers, secret, { now }) };
      }),
    ).toEqual(
      events.map((event) => ({ method: 'POST', path: '/hooks?from=affitor', type: 'application/json', event })),
    );
    expect(receiver.requests[0]!.headers['user-agent']).toBe('affitor/1.2.3');
  });

  it('gets events signed with the secret in the environment, which is not printed', async () => {
    const secret = `whsec_${Buffer.from('one of a secret store').toString('base64')}`;
    const event = eventAt(1);
    for (const isJson of [true, false]) {
      server.answer(page(), page([event]), loggedOut);
      receiver.answer({ status: 200 });
      const { out, error } = await cli.run([...forwarding(), ...(isJson ? ['--json'] : [])], {
        environment: { SERVICE_WEBHOOK_SECRET: secret },
      });
      const { headers, body } = receiver.requests.at(-1)!;
      expect(verifyWebhook(JSON.stringify(body), headers, secret, { now: new Date(at(1)) })).toEqual(event);
      expect([...out, ...error].join('\n')).not.toContain(secret);
      const url = `${receiver.url}/hooks?from=affitor`;
      expect(out[0]).toBe(
        isJson
          ? JSON.stringify({ program_id: 1, forward: url, secret: null })
          : `Listening to program 1. Forwarding to ${url}, signed with SERVICE_WEBHOOK_SECRET. Ctrl-C ends it.`,
      );
    }
  });

  it.each(['whsec_', 'whsec_*'])(
    'gets nothing, and the command fails, if the secret in the environment is %s',
    async (secret) => {
      server.answer();
      expect(await cli.json(forwarding(), { environment: { SERVICE_WEBHOOK_SECRET: secret } })).toEqual({
        code: 1,
        out: [{ error: expect.stringMatching(/^SERVICE_WEBHOOK_SECRET must be whsec_/), code: 'invalid_secret' }],
        error: [],
      });
      expect(server.requests).toEqual([]);
    },
  );

  it('gets an event again, before the next one, if it answered with an error', async () => {
    const [first, second] = [eventAt(1), eventAt(2)];
    server.answer(page(), page([first, second]), loggedOut);
    const broken = { status: 500, body: 'TypeError: x is not a function\n    at hook.js:1' };
    const moved = { status: 308, headers: { Location: 'http://127.0.0.1:1/' }, body: '' };
    receiver.answer(broken, moved, 'drop', { status: 200 }, broken, broken, broken, broken);
    const { out } = await cli.run(forwarding());
    expect(out.slice(1)).toEqual([
      shown(first),
      '  → failed in 0 ms: it answered 500: TypeError: x is not a function. Again in 1 s.',
      '  → failed in 0 ms: it answered 308. Again in 3 s.',
      expect.stringMatching(/^ {2}→ failed in 0 ms: .*other side closed.*\. Again in 9 s\.$/),
      '  → 200 in 0 ms',
      shown(second),
      ...['Again in 1 s', 'Again in 3 s', 'Again in 9 s', 'Not sent again'].map(
        (next) => `  → failed in 0 ms: it answered 500: TypeError: x is not a function. ${next}.`,
      ),
    ]);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([
      ...Array<string>(4).fill(first.id),
      ...Array<string>(4).fill(second.id),
    ]);
  });

  it.each([
    'http://shop.test/hooks',
    'http://127.0.0.1.evil.test/',
    'http://10.0.0.1/',
    'http://user:password@localhost:3000/hooks',
    'ftp://localhost/',
    'localhost:3000',
  ])('is refused if it is %s', async (url) => {
    server.answer();
    expect(await cli.json([...words, '--forward', url])).toEqual({
      code: 1,
      out: [{ error: expect.stringMatching(/^--forward must be an address of this machine/), code: 'invalid_address' }],
      error: [],
    });
    expect(server.requests).toEqual([]);
  });
});

const facts = (id: number) => expect.stringContaining(`/api/dashboard/v1/programs/${id}/facts?`);
const paths = () => server.requests.map(({ path }) => path);

describe('the program whose events `affitor listen` prints', () => {
  it('is the one in the project file', async () => {
    await cli.write('my-saas/.service/config.json', { program_id: 7 });
    server.answer(loggedOut);
    expect(await cli.run(['listen'])).toMatchObject(end);
    expect(paths()).toEqual([facts(7)]);
  });

  it('is the only program of the workspace if there is no project file', async () => {
    server.answer({ body: { data: [{ id: 9 }] } }, loggedOut);
    expect(await cli.run(['listen'])).toMatchObject(end);
    expect(paths()).toEqual(['/api/v1/cli/programs', facts(9)]);
  });

  it.each([
    ['none', [], 'No program yet. `affitor init` creates one.'],
    ['several', [{ id: 1 }, { id: 2 }], 'Which program? Pass --program <id>. `affitor programs` lists them.'],
  ])('must be named by --program if the workspace has %s', async (_, data, error) => {
    server.answer({ body: { data } });
    expect(await cli.json(['listen'])).toEqual({ code: 1, out: [{ error, code: 'no_config' }], error: [] });
  });

  it('cannot be named by its slug, only by its id', async () => {
    server.answer();
    expect(await cli.run(['listen', '--program', 'acme'])).toMatchObject({
      code: 1,
      error: ['--program must be the number of a program. `affitor programs` lists them.'],
    });
  });

  it('must exist', async () => {
    server.answer(refusal(404, 'Program not found'));
    expect(await cli.run(words)).toEqual({ code: 1, out: [], error: ['Program not found'] });
  });
});

describe('`affitor listen` fails', () => {
  it('if --events names an unknown type', async () => {
    server.answer();
    const { code, error } = await cli.run([...words, '--events', 'sale.recorded,sales']);
    expect({ code, error }).toEqual({
      code: 1,
      error: [expect.stringMatching(/^There is no such event: sales\. Valid: click\.recorded, lead\.recorded, /)],
    });
  });

  it('if the user is not logged in', async () => {
    await cli.run(['logout']);
    server.answer();
    expect(await cli.run(words)).toEqual({
      code: 1,
      out: [],
      error: ['You are not logged in, or your login has expired. Run `affitor login`.'],
    });
    expect(server.requests).toEqual([]);
  });

  it('if the service cannot be reached', async () => {
    server.answer('drop');
    expect(await cli.json(words)).toMatchObject({ code: 1, out: [{ code: 'network_error' }] });
  });
});
