import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessLogFields } from '#infra/aws/endpoints/api.ts';
import { handler as counters } from '#functions/stream/counters.ts';
import { handler as click } from '#functions/track/click.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { propertiesOf, templateWith } from '#test/infra/aws/synthesized.ts';
import { failing, failingUpdateOf, refused } from '#test/support/table/faults.ts';
import { send } from '#test/support/callers/request.ts';
import { SHARD } from '#test/support/table/stream.ts';
import { openWorld } from '#test/support/programs/world.ts';

// A container reads the level when it starts.
process.env.POWERTOOLS_LOG_LEVEL = 'INFO';

/** The record of a sale without the values that are counted. */
const senselessRecord = { dynamodb: { SequenceNumber: '1', NewImage: { sk: { S: 'SALE' } } } };

type Line = Readonly<Record<string, string>>;

const patterns: Record<string, string> = Object.fromEntries(
  propertiesOf(templateWith(), 'AWS::Logs::MetricFilter').map(({ FilterPattern, MetricTransformations }) => [
    MetricTransformations[0].MetricName,
    FilterPattern,
  ]),
);

const TERM = /\$\.(\w+) = "([^"]*)"/g;

/** Whether a CloudWatch filter for JSON, with terms combined by "and" or "or" and with asterisks, matches a line. */
const matches = (pattern: string, line: Line): boolean => pattern.split('||').some((part) => matchesAll(part, line));

function matchesAll(pattern: string, line: Line): boolean {
  const rest = pattern
    .replaceAll(TERM, '')
    .replaceAll('&&', '')
    .replaceAll(/[{()}\s]/g, '');
  expect(rest).toBe('');
  return [...pattern.matchAll(TERM)].every(([, field = '', text = '']) =>
    new RegExp(
      `^${text
        .split('*')
        .map((part) => RegExp.escape(part))
        .join('.*')}$`,
    ).test(line[field] ?? ''),
  );
}

const counted = (line: Line): string[] => Object.keys(patterns).filter((name) => matches(patterns[name]!, line));

describe('a log line of the functions', () => {
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
  });

  it('triggers exactly the alarm for its code', () => {
    expect(logged.map((line) => [line.message, counted(line)])).toEqual([
      ['commission_failed', ['MissingCommissions']],
      ['request_failed', []],
      ['rate_window_uncounted', ['UncountedRequests']],
      ['request_failed', []],
      ['record_uncounted', ['Uncounted']],
      ['record_uncounted', ['Uncounted']],
      ['shard_not_advanced', []],
    ]);
  });
});

it.each([
  ['fact_failed', 'FactsFailed'],
  ['deliveries_late', 'DeliveriesLate'],
  ['endpoint_not_woken', 'DeliveriesLate'],
])('with %s triggers %s and no other alarm', (message, alarm) => {
  expect(counted({ message })).toEqual([alarm]);
});

/** An access log line as the gateway writes it: all values are strings. */
const accessLine = (route: string, status: number): Line => {
  const values: Line = { '$context.routeKey': route, '$context.status': String(status) };
  return Object.fromEntries(Object.entries(accessLogFields).map(([name, variable]) => [name, values[variable] ?? '-']));
};

describe('an access log line', () => {
  const webhooks = ['POST /api/v1/webhooks/stripe', 'POST /api/v1/webhooks/stripe/{program_id}'];

  it.each(webhooks)('of %s triggers an alarm when the request fails or is refused', (route) => {
    expect(counted(accessLine(route, 500))).toEqual(['WebhookFailures']);
    expect(counted(accessLine(route, 503))).toEqual(['WebhookFailures']);
    expect(counted(accessLine(route, 400))).toEqual(['WebhookRefusals']);
    expect(counted(accessLine(route, 200))).toEqual([]);
  });

  it('of a forwarded Stripe event triggers an alarm when it fails, but not when it is refused', () => {
    const route = 'POST /api/v1/track/stripe';
    expect(counted(accessLine(route, 500))).toEqual(['WebhookFailures']);
    expect([200, 400, 401].flatMap((status) => counted(accessLine(route, status)))).toEqual([]);
  });

  it.each([...webhooks, 'POST /api/v1/track/click', '$default'])(
    'of %s is counted when the request is throttled',
    (route) => {
      expect(counted(accessLine(route, 429))).toEqual(['RateLimited']);
    },
  );

  it.each([
    'POST /api/v1/track/sale',
    'POST /api/dashboard/v1/programs/{id}/webhooks',
    'POST /api/dashboard/v1/programs/{id}/webhooks/{endpoint_id}/test',
  ])('of %s is not counted', (route) => {
    expect([400, 500].flatMap((status) => counted(accessLine(route, status)))).toEqual([]);
  });
});
