import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessLogFields } from '#infra/aws/endpoints/api.ts';
import { routes } from '#infra/routes.ts';
import { handler as addEndpoint } from '#functions/dashboard/webhooks/post.ts';
import { handler as counters } from '#functions/stream/counters.ts';
import { handler as click } from '#functions/track/click.ts';
import type { LogCode } from '#lib/service/ground/effects/log.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';
import { failing, failingUpdateOf, refused } from '#test/support/table/faults.ts';
import { send } from '#test/support/callers/request.ts';
import { SHARD } from '#test/support/table/stream.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { openWorld } from '#test/support/programs/world.ts';

// A container reads the level when it starts.
process.env.POWERTOOLS_LOG_LEVEL = 'INFO';
process.env.VAULT_KEY_ID = 'arn:key';
const kms = mockClient(KMSClient);
afterAll(() => kms.restore());

/** The record of a sale without the values that are counted. */
const senselessRecord = { dynamodb: { SequenceNumber: '1', NewImage: { sk: { S: 'SALE' } } } };

type Line = Readonly<Record<string, unknown>>;

const patterns: Record<string, string> = Object.fromEntries(
  propertiesOf(templateWith({ canary: 'true', mailFrom: 'referrals@acme.test' }), 'AWS::Logs::MetricFilter').map(
    ({ FilterPattern, MetricTransformations }) => [MetricTransformations[0].MetricName, FilterPattern],
  ),
);

const TERM = /\$\.([\w.]+) = "([^"]*)"/g;

/** Whether a CloudWatch filter for JSON, with terms combined by "and" or "or" and with asterisks, matches a line. */
function matches(pattern: string, line: Line): boolean {
  let left = pattern.replaceAll(TERM, (_, field: string, text: string) =>
    isMatch(text, valueOf(line, field)) ? 'T' : 'F',
  );
  // Each operand has its own parentheses, so the order of the operators does not matter.
  for (let before = ''; before !== left;) {
    before = left;
    left = left
      .replaceAll(/\(([TF])\)/g, '$1')
      .replaceAll(/T && T|T \|\| [TF]|F \|\| T/g, 'T')
      .replaceAll(/F && [TF]|T && F|F \|\| F/g, 'F');
  }
  expect(left).toMatch(/^\{ [TF] \}$/);
  return left === '{ T }';
}

const isMatch = (text: string, value: string): boolean =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
  ).test(value);

/** The value of a field such as `error.name`, as text. */
function valueOf(line: Line, field: string): string {
  const found = field.split('.').reduce<unknown>((value, name) => (value as Line | undefined)?.[name], line);
  return typeof found === 'string' ? found : '';
}

const counted = (line: Line): string[] => Object.keys(patterns).filter((name) => matches(patterns[name]!, line));

describe('a log line that a function writes', () => {
  const logged: Line[] = [];
  const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
  for (const write of writes) {
    write.mockImplementation((text) => {
      for (const line of String(text).split('\n')) if (line.startsWith('{')) logged.push(JSON.parse(line));
      return true;
    });
  }
  afterAll(() => {
    for (const write of writes) write.mockRestore();
  });

  beforeAll(async () => {
    const world = await openWorld();
    const brand = await world.brand();
    await failedFirstSale(brand);
    await failing('count', refused('TimeoutError'), () => send(click, { body: { affiliate_url: brand.affiliateUrl } }));
    await failing('write', refused('TimeoutError'), () => send(click, { body: { affiliate_url: brand.affiliateUrl } }));
    await counters({ shardId: SHARD, Records: [senselessRecord] });
    await failingUpdateOf('SHARDS', refused('TimeoutError'), () =>
      counters({ shardId: 'another', Records: [senselessRecord] }),
    );
    const { token: key } = await ownerOfBrand(world, brand);
    const pathParameters = { id: String(brand.program.id) };
    const body = { url: 'https://acme.test/hooks', types: ['sale.recorded'] };
    for (const name of ['DisabledException', 'KMSInvalidStateException', 'AccessDeniedException']) {
      kms.on(EncryptCommand).rejects(Object.assign(new Error(name), { name }));
      await send(addEndpoint, { key, pathParameters, body });
    }
  });

  it('is counted by exactly the alarm for its code', () => {
    expect(logged.map((line) => [line.message, counted(line)])).toEqual([
      ['commission_failed', ['MissingCommissions']],
      ['request_failed', []],
      ['rate_window_uncounted', ['UncountedRequests']],
      ['request_failed', []],
      ['record_uncounted', ['Uncounted']],
      ['record_uncounted', ['Uncounted']],
      ['shard_not_advanced', []],
      ['request_failed', ['KeyUnusable']],
      ['request_failed', ['KeyUnusable']],
      ['request_failed', []],
    ]);
  });
});

/** The metric that counts each code. The runbook says why there is none. */
const metricOf: Readonly<Record<LogCode, string | undefined>> = {
  request_failed: undefined,
  request_overtaken: undefined,
  rate_window_uncounted: 'UncountedRequests',
  visits_untidied: undefined,
  commission_failed: 'MissingCommissions',
  tier_unsettled: 'PayoutsDelayed',
  customer_keeps_key: undefined,
  customer_erased: undefined,
  origin_unchecked: undefined,
  edge_secret_unknown: 'EdgeSecretUnknown',
  edge_unchecked: undefined,
  record_uncounted: 'Uncounted',
  records_delayed: undefined,
  counts_not_moved: undefined,
  counters_rebuilt: undefined,
  counters_not_rebuilt: 'RebuildsFailed',
  bursts_not_noted: undefined,
  mail_domains_unread: undefined,
  shard_not_advanced: undefined,
  mail_failed: 'MailsFailed',
  mail_rejected: 'MailsNotTaken',
  mail_postponed: 'MailsNotTaken',
  mail_unanswered: 'MailsNotTaken',
  mails_delayed: 'MailsLate',
  payout_delayed: 'PayoutsDelayed',
  fact_failed: 'FactsFailed',
  facts_delayed: undefined,
  later_clicks_delayed: undefined,
  webhook_refused: undefined,
  endpoint_not_woken: 'DeliveriesLate',
  deliveries_late: 'DeliveriesLate',
  processor_event_ignored: undefined,
  connect_exchange_failed: undefined,
  deauthorization_failed: undefined,
  delivery_unnoted: undefined,
  id_used_elsewhere: 'IdsUsedElsewhere',
  unsold_payment_unnoted: 'PaymentsUnlisted',
  waiting_payments_failed: undefined,
  canary_passed: 'CanaryPassed',
  canary_failed: undefined,
  certificate_expiring: 'CertificateExpiring',
};

describe('every code of the log', () => {
  it.each(Object.entries(metricOf))('%s is counted by %s and no other metric', (code, metric) => {
    expect(counted({ message: code })).toEqual(metric === undefined ? [] : [metric]);
  });

  it('has an alarm, or the runbook says why it has none', () => {
    const [, section = ''] = readFileSync('infra/runbook/alarms.md', 'utf8').split('\n## Lines without an alarm\n');
    const explained = [...section.matchAll(/^\| (`[^|]+`) +\| \w/gm)].flatMap(([, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    );
    const silent = Object.entries(metricOf).flatMap(([code, metric]) => (metric === undefined ? [code] : []));
    expect(explained.toSorted()).toEqual(silent.toSorted());
  });
});

it('a log line of Lambda itself, about a function that crashed because the key is disabled, is counted by the alarm KeyUnusable', () => {
  expect(counted({ level: 'ERROR', errorType: 'KMSInvalidStateException' })).toEqual(['KeyUnusable']);
});

/** An access log line as the gateway writes it: all values are strings. */
const accessLine = (route: string, status: number): Line => {
  const values: Readonly<Record<string, string>> = { '$context.routeKey': route, '$context.status': String(status) };
  return Object.fromEntries(Object.entries(accessLogFields).map(([name, variable]) => [name, values[variable] ?? '-']));
};

describe('a line in the access log of the API', () => {
  const webhooks = ['POST /api/v1/webhooks/stripe', 'POST /api/v1/webhooks/stripe/{program_id}'];

  it.each(webhooks)('for %s is counted as a failure if the status is 5xx, and as a refusal if it is 400', (route) => {
    expect(counted(accessLine(route, 500))).toEqual(['WebhookFailures']);
    expect(counted(accessLine(route, 503))).toEqual(['WebhookFailures']);
    expect(counted(accessLine(route, 400))).toEqual(['WebhookRefusals']);
    expect(counted(accessLine(route, 200))).toEqual([]);
  });

  it('for a Stripe event that the brand’s server forwards is counted as a failure, but not as a refusal', () => {
    const route = 'POST /api/v1/track/stripe';
    expect(counted(accessLine(route, 500))).toEqual(['WebhookFailures']);
    expect([200, 400, 401].flatMap((status) => counted(accessLine(route, status)))).toEqual([]);
  });

  const failed = [500, 502, 503, 504];
  const answered = [200, 400, 401, 403, 404, 409];
  const all = routes.map(({ method, path }) => `${method} ${path}`);

  it.each([
    [
      'SaleFailures',
      [
        'POST /api/v1/track/sale',
        'POST /api/v1/track/refund',
        'POST /api/dashboard/v1/programs/{id}/sales/{transaction_id}/refund',
        'POST /api/dashboard/v1/programs/{id}/sales/refund',
      ],
    ],
    [
      'PayoutFailures',
      [
        'GET /api/dashboard/v1/programs/{id}/payouts',
        'POST /api/dashboard/v1/programs/{id}/payouts',
        'POST /api/dashboard/v1/programs/{id}/payouts/preview',
        'GET /api/dashboard/v1/programs/{id}/payouts/{payout_id}',
        'GET /api/dashboard/v1/programs/{id}/payouts/{payout_id}/files',
        'PATCH /api/dashboard/v1/programs/{id}/payouts/{payout_id}',
        'POST /api/dashboard/v1/programs/{id}/payouts/{payout_id}/continue',
        'GET /api/dashboard/v1/programs/{id}/payouts/{payout_id}/lines',
        'POST /api/dashboard/v1/programs/{id}/payouts/{payout_id}/lines',
        'GET /api/dashboard/v1/programs/{id}/payouts/{payout_id}/lines/{line_id}',
        'GET /api/dashboard/v1/programs/{id}/payouts/{payout_id}/lines/{line_id}/commissions',
        'GET /api/partner/v1/payout-details',
        'PUT /api/partner/v1/payout-details',
        'DELETE /api/partner/v1/payout-details',
        'GET /api/partner/v1/programs/{id}/payouts',
      ],
    ],
  ])(
    'is counted by the alarm %s if a request to one of its routes fails, and never if it succeeds',
    (alarm, ofAlarm) => {
      for (const status of failed) {
        expect(all.filter((route) => counted(accessLine(route, status)).includes(alarm))).toEqual(ofAlarm);
      }
      expect(answered.flatMap((status) => ofAlarm.flatMap((route) => counted(accessLine(route, status))))).toEqual([]);
    },
  );

  it.each([...webhooks, 'POST /api/v1/track/click', '$default'])(
    'for %s with the status 429 is counted as rate-limited',
    (route) => {
      expect(counted(accessLine(route, 429))).toEqual(['RateLimited']);
    },
  );

  it.each([
    'POST /api/v1/track/click',
    'POST /api/v1/track/lead',
    'POST /api/dashboard/v1/programs/{id}/webhooks',
    'POST /api/dashboard/v1/programs/{id}/webhooks/{endpoint_id}/test',
  ])('for %s is counted by no alarm', (route) => {
    expect([400, 500].flatMap((status) => counted(accessLine(route, status)))).toEqual([]);
  });
});
