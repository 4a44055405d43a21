import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, it } from 'vitest';
import { schedules } from '#infra/routes.ts';
import { awsCommand } from '#infra/emulator/aws-command.ts';
import { runCommand } from '#infra/emulator/child-process.ts';
import { openEdge } from '#infra/emulator/edge.ts';
import { type FirstProgram, makeFirstProgram } from '#infra/emulator/first-program.ts';
import { openUserPool } from '#infra/emulator/sign-in.ts';
import { until } from '#test/deployed/support/deployed-journey.ts';
import { deployment } from '#test/deployed/support/deployed.ts';
import { openReceiver, type Receiver } from '#test/support/outbox/webhook-receiver.ts';

const edge = openEdge(deployment());
const aws = awsCommand(deployment());
let brand: FirstProgram;
let receiver: Receiver;
let secret: string;
const transaction = { transaction_id: 'in_flows_1' };

const asOwner = (method: string, path: string, body?: object) =>
  edge(method, `/api/dashboard/v1/programs/${brand.id}${path}`, { key: brand.token, body });
const track = (what: string, body: object) => edge('POST', `/api/v1/track/${what}`, { key: brand.key, body });

const counted = async () => (await asOwner('GET', '/partners')).body.data[0];

const told = () =>
  receiver.received.map(({ headers, body }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  ) as readonly { readonly type: string; readonly data: object }[];

const mails = async () =>
  JSON.stringify(await (await fetch(`${deployment().endpoint}/_ministack/ses/messages`)).json());

beforeAll(async () => {
  brand = await makeFirstProgram(edge, openUserPool(deployment(), aws), 'flows');
  receiver = await openReceiver();
  const wanted = { url: `${receiver.url}/hook`, events: ['sale.recorded', 'sale.refunded'] };
  ({ secret } = (await asOwner('POST', '/webhooks', wanted)).body.data);
});

it('a partner earns a commission for a sale from the partner’s click, and a refund deducts its share', async () => {
  const click = await edge('POST', '/api/v1/track/click', { body: { affiliate_url: 'https://flows.test/?aff=flows' } });
  expect(click).toMatchObject({ status: 200, body: { success: true, partner_code: 'flows' } });
  const { click_id } = click.body;
  expect(await track('lead', { click_id, customer_key: 'user_1', email: 'jo@example.com' })).toMatchObject({
    status: 200,
    body: { success: true },
  });
  const sale = await track('sale', { ...transaction, customer_key: 'user_1', amount_cents: 10_000, currency: 'USD' });
  expect(sale).toMatchObject({ status: 200, body: { success: true, attributed: true } });
  expect((await track('refund', { ...transaction, refund_amount_cents: 2_500 })).body).toEqual({
    success: true,
    status: 'refunded',
    sale_id: sale.body.sale_id,
    commission_id: sale.body.commission_id,
    refunded_amount_cents: 2_500,
    deduction_cents: 500,
    message: 'Commission reduced',
  });
  const { body } = await asOwner('GET', '/commissions');
  expect(body.data).toMatchObject([{ ...transaction, amount_cents: 2_000, deducted_cents: 500, payable_cents: 1_500 }]);
});

it('the counters of the partner include the click, the lead and the sale after a while', async () => {
  await until('the partner’s counters', async () => {
    const { sales, leads, clicks, amounts } = await counted();
    return sales === 1 && leads === 1 && clicks === 1 && amounts.USD.commission_cents === 1_500;
  });
  expect((await counted()).amounts).toEqual({
    USD: { revenue_cents: 10_000, commission_cents: 1_500, paid_out_cents: 0 },
  });
});

it('the brand’s system receives signed webhooks about the sale and the refund', async () => {
  await until('two webhooks', () => Promise.resolve(receiver.received.length >= 2));
  expect(told().map(({ type }) => type)).toEqual(['sale.recorded', 'sale.refunded']);
  expect(told()[0]).toMatchObject({ data: transaction });
  const { body } = await asOwner('GET', '/facts?type=sale.refunded');
  expect(body.data).toMatchObject([{ type: 'sale.refunded', data: transaction }]);
});

it('a partner whom a brand invites gets a mail', async () => {
  const invited = { name: 'Cleo', email: 'cleo@partners.test', invite: true };
  expect(await asOwner('POST', '/partners', invited)).toMatchObject({ status: 200 });
  await until('a mail to Cleo', async () => (await mails()).includes('cleo@partners.test'));
  expect(await mails()).toContain('referrals@example.com');
});

it('commissions can be exported, and cursors and file names that a caller invents are refused', async () => {
  expect((await asOwner('GET', '/commissions.csv')).body).toContain('in_flows_1');
  expect(await asOwner('GET', `/commissions.csv?cursor=${'x'.repeat(43)}`)).toMatchObject({ status: 400 });
  // The edge may not list the bucket, so S3 answers 403 for a missing file.
  expect(await edge('GET', `/exports/2000000000-${'x'.repeat(43)}.csv`)).toMatchObject({ status: 403 });
});

it('the function of the schedule runs without an error when it is invoked', async () => {
  const { Functions } = await aws('lambda', 'list-functions');
  const { FunctionName } = Functions.find(
    ({ Description }: { Description?: string }) => Description === `functions/${schedules[0].function}.ts`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'schedule-'));
  const time = new Date();
  // A minute with a heartbeat.
  time.setUTCMinutes(2);
  const event = ['--payload', JSON.stringify({ time })];
  const answer = await aws('lambda', 'invoke', '--function-name', FunctionName, ...event, join(folder, 'answer.json'));
  await rm(folder, { recursive: true });
  expect(answer).toMatchObject({ StatusCode: 200 });
  expect(answer.FunctionError).toBeUndefined();
});

it('`agent-key issue` works on the deployed table, and the agent API accepts the issued key through CloudFront', async () => {
  const words = ['agent-key', 'issue', `--workspace=${brand.workspaceId}`, '--scopes=program:list', '--name=Tool'];
  const said = await runCommand(execPath, ['bin/operator.ts', ...words, '--json'], {
    environment: {
      ...deployment().environment,
      TABLE_NAME: deployment().outputs.TableName!,
      DYNAMODB_ENDPOINT: deployment().endpoint,
    },
  });
  const { key } = JSON.parse(said) as { key: string };
  const listed = await edge('GET', '/api/agent/v1/programs', { key });
  expect(listed).toMatchObject({ status: 200, body: { data: [{ id: brand.id }] } });
});

it('every alarm uses an existing metric', async () => {
  const [{ MetricAlarms }, { metricFilters }, { Functions }] = await Promise.all([
    aws('cloudwatch', 'describe-alarms'),
    aws('logs', 'describe-metric-filters'),
    aws('lambda', 'list-functions'),
  ]);
  const filtered = new Set(
    metricFilters.flatMap(
      (filter: { metricTransformations: readonly { metricNamespace: string; metricName: string }[] }) =>
        filter.metricTransformations.map(({ metricNamespace, metricName }) => `${metricNamespace} ${metricName}`),
    ),
  );
  const functions = new Set(Functions.map(({ FunctionName }: { FunctionName: string }) => FunctionName));
  interface Alarm {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
  }
  const missing = (MetricAlarms as readonly Alarm[]).filter(({ Namespace, MetricName, Dimensions }) => {
    if (!Namespace.startsWith('AWS/')) return !filtered.has(`${Namespace} ${MetricName}`);
    return Dimensions.some(({ Name, Value }) => Name === 'FunctionName' && !functions.has(Value));
  });
  expect(MetricAlarms).not.toEqual([]);
  expect(missing).toEqual([]);
});
