import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { webhookBodyOf, webhookHeaders } from '#lib/service/outbox/sending/webhook-signature.ts';
import { secretsInForce } from '#lib/service/outbox/webhooks/webhook.ts';

const AT = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 987);
const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const fact: Fact = {
  id: 'evt_0mi2x',
  type: 'sale.recorded',
  programId: 1,
  isTest: false,
  timestamp: '2026-11-22T10:00:00.000Z',
  data: { id: 42, transaction_id: 'in_1', amount_cents: 4_900 },
};

it('a webhook body contains the type and the time of its fact, and the fact’s data with the program id', () => {
  expect(webhookBodyOf(fact)).toBe(
    '{"type":"sale.recorded","timestamp":"2026-11-22T10:00:00.000Z","data":{"program_id":1,"is_test":false,"id":42,"transaction_id":"in_1","amount_cents":4900}}',
  );
});

describe('the signature of a webhook', () => {
  const body = webhookBodyOf(fact);

  it('is accepted by the reference implementation of Standard Webhooks with every valid secret, and not with another secret', () => {
    const [newest, former] = [secret(), secret()];
    const headers = webhookHeaders(fact.id, AT, body, [newest, former]);
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(AT.getTime() / 1_000)));
    expect(new Webhook(newest).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(former).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret()).verify(body, headers)).toThrow('No matching signature found');
  });

  it.each([
    ['body', (headers: Readonly<Record<string, string>>) => [`${body} `, headers] as const],
    ['id', (headers: Readonly<Record<string, string>>) => [body, { ...headers, 'webhook-id': 'evt_other' }] as const],
    [
      'time',
      (headers: Readonly<Record<string, string>>) =>
        [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }] as const,
    ],
  ])('fails to verify with another %s', (_, changed) => {
    const key = secret();
    const [text, headers] = changed(webhookHeaders(fact.id, AT, body, [key]));
    expect(() => new Webhook(key).verify(text, headers)).toThrow('No matching signature found');
  });
});

it('webhooks are also signed with a replaced secret until it expires', () => {
  const secrets = [{ sealed: 'new' }, { sealed: 'old', until: AT.toISOString() }];
  expect(secretsInForce({ secrets }, new Date(AT.getTime() - 1))).toEqual(secrets);
  expect(secretsInForce({ secrets }, AT)).toEqual([{ sealed: 'new' }]);
});
