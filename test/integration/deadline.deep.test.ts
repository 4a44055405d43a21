import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { handler as counters } from '#functions/stream/counters.ts';
import { handler as readiness } from '#functions/programs/readiness.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { handler as webhook } from '#functions/webhooks/stripe/platform.ts';
import type { LambdaContext } from '#lib/service/ground/effects/deps.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { send, invokeBy } from '#test/support/callers/request.ts';
import { openSilentServer } from '#test/support/servers/silent-server.ts';
import { SHARD } from '#test/support/table/stream.ts';

// A container reads the level when it starts.
process.env.POWERTOOLS_LOG_LEVEL = 'ERROR';

/** The context of a run that Lambda ends after two and a half seconds. */
function run() {
  const endsAt = performance.now() + 2_500;
  const context: LambdaContext = { getRemainingTimeInMillis: () => endsAt - performance.now() };
  const end = async (): Promise<never> => {
    await pause(endsAt - performance.now());
    throw new Error('Lambda has ended the function');
  };
  return { context, end };
}

let silent: Awaited<ReturnType<typeof openSilentServer>>;
beforeAll(async () => {
  silent = await openSilentServer();
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: silent.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: silent.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    STRIPE_SECRETS_ID: 'arn:secret',
    TABLE_NAME: 'service',
    BASE_URL: 'https://track.test',
    DASHBOARD_URL: 'https://track.test',
    DOCS_URL: 'https://track.test/docs/errors',
  });
  invokeBy((handler, event) => {
    const { context, end } = run();
    return Promise.race([handler(event, context), end()]);
  });
});
afterAll(() => silent.close());

let logged = '';
const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
for (const write of writes) {
  write.mockImplementation((line) => {
    logged += String(line);
    return true;
  });
}
afterAll(() => {
  for (const write of writes) write.mockRestore();
});

const key = 'aff_1_00000000000000000000000000000000';
const affiliateUrl = 'https://acme.test/?aff=ana';

const requests = [
  [click, { body: { affiliate_url: affiliateUrl } }, platformError(500, 'Click tracking failed')],
  [lead, { key, body: { click_id: 'clk_1' } }, platformError(500, 'Lead tracking failed')],
  [
    sale,
    { key, body: { transaction_id: 'sale-1', amount_cents: 4900, customer_key: 'user' } },
    codedError(500, 'internal_error', 'Sale tracking failed'),
  ],
  [refund, { key, body: { transaction_id: 'sale-1' } }, codedError(500, 'internal_error', 'Refund tracking failed')],
  [
    readiness,
    { key, method: 'GET' },
    {
      error: {
        code: 'internal_error',
        message: 'Failed to compute readiness. Retry shortly.',
        retry_after_seconds: 10,
      },
    },
  ],
  [
    webhook,
    { body: {}, headers: { 'stripe-signature': 't=1,v1=00' } },
    platformError(500, 'Webhook processing failed'),
  ],
] as const;

it('requests fail and are logged before Lambda’s time limit if the table or the secret store never answers', async () => {
  const replies = await Promise.all(requests.map(([handler, request]) => send(handler, request)));
  expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
    requests.map(([, , body]) => ({ status: 500, body })),
  );
  expect(logged.match(/"message":"request_failed"/g)).toHaveLength(requests.length);
});

it('a batch of the stream is reported as unprocessed before Lambda’s time limit if the table never answers', async () => {
  const record = {
    eventID: 'one',
    eventName: 'INSERT',
    dynamodb: {
      ApproximateCreationDateTime: 1_795_272_781,
      SequenceNumber: '17',
      Keys: { pk: { S: 'CUSTOMER#clk_1' }, sk: { S: 'CUSTOMER' } },
      NewImage: {
        sk: { S: 'CUSTOMER' },
        programId: { N: '1' },
        partnerId: { N: '1' },
        shortLink: { S: 'ana' },
        firstClickAt: { S: '2026-11-20T15:00:00.000Z' },
      },
    },
  } as const;
  const { context, end } = run();
  expect(await Promise.race([counters({ shardId: SHARD, Records: [record] }, context), end()])).toEqual({
    state: {},
    batchItemFailures: [{ itemIdentifier: '17' }],
  });
});
