import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { assert, property, uint8Array } from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { hmacSha256 } from '#lib/apps/client/webhooks/hmac-sha256.ts';
import { verifyWebhook, WebhookVerificationError } from '#lib/apps/client/referral-client.ts';
import { webhookHeaders } from '#lib/service/outbox/sending/webhook-signature.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const thirdSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const id = 'evt_0mia2s2ow0123456789abcdef01234567';
const now = new Date('2026-11-22T10:00:00.000Z');
const timestamp = String(now.getTime() / 1_000);
const body = JSON.stringify({
  type: 'sale.recorded',
  timestamp: '2026-11-22T09:59:58.000Z',
  data: { program_id: 1, is_test: false, id: 42, partner_name: 'Zoë', amount_cents: 4900 },
});
const event = { id, ...JSON.parse(body) };

/** Uses the published reference implementation, so that no code of ours decides what is right. */
const signed = (text = body, at = now, by = secret): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(at.getTime() / 1_000),
  'webhook-signature': new StandardWebhook(by).sign(id, at, text),
});

const headers = signed();

/** @returns why the request is refused */
function refusal(...[text, sent, by, options]: Parameters<typeof verifyWebhook>): string {
  try {
    verifyWebhook(text, sent, by, { now, ...options });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  throw new Error('It was accepted');
}

describe('hmacSha256 of the client, which is written without Node’s crypto,', () => {
  it('equals Node’s for keys and messages of every length', () => {
    const bytes = uint8Array({ maxLength: 300 });
    assert(
      property(bytes, bytes, (key, message) => {
        const expected = createHmac('sha256', key).update(message).digest('hex');
        expect(Buffer.from(hmacSha256(key, message)).toString('hex')).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.each([0, 54, 55, 56, 63, 64, 65, 119, 120, 1_000_000])('is correct for %i bytes', (length) => {
    const message = Buffer.alloc(length, 'é');
    expect(Buffer.from(hmacSha256(message, message))).toEqual(createHmac('sha256', message).update(message).digest());
  });
});

describe('verifyWebhook', () => {
  const bytes = new TextEncoder().encode(body);
  const padded = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
  it.each<[string, string | Uint8Array | ArrayBuffer]>([
    ['text', body],
    ['bytes', bytes],
    ['a view of a larger buffer', padded],
    ['a Node buffer', Buffer.from(body)],
    ['an ArrayBuffer', bytes.buffer],
  ])('accepts the body as %s', (_, given) => {
    expect(verifyWebhook(given, headers, secret, { now })).toEqual(event);
  });

  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const ofNode: IncomingHttpHeaders = { ...headers, host: 'shop.test', 'set-cookie': ['a', 'b'], cookie: undefined };
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  it.each([
    ['a plain object', headers],
    ['names in capitals', upper],
    ["Node's IncomingHttpHeaders", ofNode],
    ['a Headers object', new Headers(headers)],
    ['lists of values', lists],
  ])('accepts the headers as %s', (_, given) => {
    expect(verifyWebhook(body, given, secret, { now })).toEqual(event);
  });

  it('accepts an event of a type that a later version of the service may send', () => {
    const text = '{"type":"planet.found","timestamp":"2026-11-22T09:59:58.000Z","data":{}}';
    expect(verifyWebhook(text, signed(text), secret, { now })).toEqual({ id, ...JSON.parse(text) });
  });

  it('returns the id from the signed header, not from the body', () => {
    const text = '{"id":"evt_other","type":"endpoint.test","timestamp":"2026-11-22T09:59:58.000Z","data":{}}';
    expect(verifyWebhook(text, signed(text), secret, { now }).id).toBe(id);
  });
});

describe('verifyWebhook with several secrets or signatures', () => {
  it.each([
    ['the newer of two secrets', [secret, otherSecret]],
    ['the older of two secrets', [otherSecret, secret]],
    ['a secret without its prefix', [secret.slice('whsec_'.length)]],
    ['a secret with a trailing line break', [`${secret}\n`]],
  ])('accepts a webhook with %s', (_, secrets) => {
    expect(verifyWebhook(body, headers, secrets, { now })).toEqual(event);
  });

  it('accepts a webhook if any one of its signatures is valid, and ignores signatures of unknown versions', () => {
    const both = [signed(body, now, otherSecret)['webhook-signature'], 'v1a,AAAA', 'v1', headers['webhook-signature']];
    const rolling = { ...headers, 'webhook-signature': both.join(' ') };
    for (const by of [secret, otherSecret]) expect(verifyWebhook(body, rolling, by, { now })).toEqual(event);
  });

  it.each([
    ['nothing', ''],
    ['a comma', ','],
    ['a version only', 'v1,'],
    ['a shorter signature', headers['webhook-signature']!.slice(0, -1)],
    ['a longer signature', `${headers['webhook-signature']}=`],
    ['another version', headers['webhook-signature']!.replace('v1', 'v2')],
    ['another alphabet', headers['webhook-signature']!.toLowerCase()],
  ])('refuses a signature header with %s', (_, signature) => {
    const reason = signature === '' ? 'missing_headers' : 'no_matching_signature';
    expect(refusal(body, { ...headers, 'webhook-signature': signature }, secret)).toBe(reason);
  });
});

type Sent = Readonly<Record<string, string>>;

describe('the signature of a webhook that the service makes', () => {
  const verifiers = {
    verifyWebhook: (text: string, sent: Sent, by: string) => verifyWebhook(text, sent, by),
    standardwebhooks: (text: string, sent: Sent, by: string) => new StandardWebhook(by).verify(text, sent),
    svix: (text: string, sent: Sent, by: string) => new SvixWebhook(by).verify(text, sent),
  };
  // The published verifiers use the machine's clock.
  const lately = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  // Signed like the service.
  const good = webhookHeaders(id, lately, body, [secret, otherSecret]);
  const moved = String(lately.getTime() / 1_000 + 1);
  const requests: [string, string, Sent, string][] = [
    ['a changed body', body.replace('4900', '9900'), good, secret],
    ['a longer body', `${body} `, good, secret],
    ['another id', body, { ...good, 'webhook-id': `${id}0` }, secret],
    ['another time', body, { ...good, 'webhook-timestamp': moved }, secret],
    ['another secret', body, good, thirdSecret],
  ];

  describe.each(Object.entries(verifiers))('checked by %s', (_, verify) => {
    it.each([secret, otherSecret])('is valid with each of the service’s two secrets', (by) => {
      expect(() => verify(body, good, by)).not.toThrow();
    });

    it.each(requests)('is invalid for %s', (__, text, sent, by) => {
      expect(() => verify(text, sent, by)).toThrow(/signature/i);
    });
  });

  it('is invalid if any character of the body is changed', () => {
    const flipped = (at: number) => `${body.slice(0, at)}${body[at] === '0' ? '1' : '0'}${body.slice(at + 1)}`;
    const reasons = Array.from(body, (__, at) => refusal(flipped(at), headers, secret));
    expect(new Set(reasons)).toEqual(new Set(['no_matching_signature']));
  });
});

describe('the time in a webhook’s signature', () => {
  const at = (seconds: number) => signed(body, new Date(now.getTime() + seconds * 1_000));

  it.each([-300, 300])('may be %i seconds away from the present', (seconds) => {
    expect(verifyWebhook(body, at(seconds), secret, { now })).toEqual(event);
    expect(verifyWebhook(body, at(seconds), secret, { now: now.getTime() + 999 })).toEqual(event);
  });

  it('may be as far from the present as the option toleranceSeconds says', () => {
    expect(verifyWebhook(body, at(-3_600), secret, { now, toleranceSeconds: 3_600 })).toEqual(event);
    expect(refusal(body, at(-11), secret, { toleranceSeconds: 10 })).toBe('timestamp_too_old');
    expect(refusal(body, at(1), secret, { toleranceSeconds: 0 })).toBe('timestamp_too_new');
  });

  it.each([
    ['too old', at(-301), 'timestamp_too_old'],
    ['too new', at(301), 'timestamp_too_new'],
    ['not a number', { ...headers, 'webhook-timestamp': 'yesterday' }, 'invalid_timestamp'],
    ['a date', { ...headers, 'webhook-timestamp': now.toISOString() }, 'invalid_timestamp'],
    ['a signed number', { ...headers, 'webhook-timestamp': `+${timestamp}` }, 'invalid_timestamp'],
    ['a fractional number', { ...headers, 'webhook-timestamp': `${timestamp}.0` }, 'invalid_timestamp'],
  ])('is refused if it is %s', (_, sent, reason) => {
    expect(refusal(body, sent, secret)).toBe(reason);
  });

  it('is always refused if the clock or the tolerance is not a number', () => {
    expect(refusal(body, headers, secret, { now: Number.NaN })).toBe('timestamp_too_old');
    expect(refusal(body, headers, secret, { toleranceSeconds: Number.NaN })).toBe('timestamp_too_old');
  });

  it("is compared with the machine's clock by default", () => {
    expect(() => verifyWebhook(body, signed(body, new Date(0)), secret)).toThrow('more than 300 s old');
  });
});

describe('verifyWebhook refuses a webhook', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without the header %s', (name) => {
    const { [name]: _, ...others } = headers;
    for (const sent of [others, new Headers(others), { ...others, [name]: '' }, { ...others, [name]: undefined }]) {
      expect(() => verifyWebhook(body, sent, secret, { now })).toThrow(`The request has no header ${name}.`);
      expect(refusal(body, sent, secret)).toBe('missing_headers');
    }
  });

  it.each([undefined, null, {}])('with %s instead of headers', (none) => {
    expect(refusal(body, none as Sent, secret)).toBe('missing_headers');
  });

  it.each([
    ['a parsed object', JSON.parse(body)],
    ['nothing', undefined],
    ['null', null],
  ])('with %s instead of the body’s text', (_, given) => {
    expect(refusal(given as string, headers, secret)).toBe('invalid_body');
  });

  it.each(['', 'null', '[]', '"text"', '{', '{}', '{"type":"sale.recorded"}', '{"type":"sale.recorded","data":null}'])(
    'whose signature is valid, but whose body is %s',
    (text) => {
      expect(refusal(text, signed(text), secret)).toBe('invalid_body');
    },
  );

  it('whose signature is valid, but whose body is not valid UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"type":"'), Buffer.of(0xff), Buffer.from('","data":{}}')]);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64');
    expect(refusal(bytes, { ...headers, 'webhook-signature': `v1,${signature}` }, secret)).toBe('invalid_body');
  });
});

describe('the secret for verifyWebhook', () => {
  it.each<[string, string | string[] | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['only a prefix', 'whsec_'],
    ['not base64', 'whsec_not base64!'],
    ['an empty list', []],
    ['a list with an empty secret', [secret, '']],
  ])('causes an error if it is %s', (_, given) => {
    expect(refusal(body, headers, given)).toBe('invalid_secret');
  });

  it('is in no error message', () => {
    const wrong = 'whsec_MySecretWithA-Typo';
    expect(() => verifyWebhook(body, headers, wrong, { now })).toThrow(expect.not.stringContaining('Typo'));
    expect(() => verifyWebhook(body, headers, otherSecret, { now })).toThrow(
      expect.not.stringContaining(otherSecret.slice(6)),
    );
  });
});
