import { beforeAll, describe, expect, it } from 'vitest';
import { type DeployedFunction, deployedFunctions } from '#infra/deployed-functions.ts';
import { awsCommand } from '#infra/emulator/aws-command.ts';
import { STACK } from '#infra/emulator/deployment.ts';
import type { Template } from '#infra/emulator/template.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';
import { consumers, counters, deliverer, deployers, mailFeedback, outbox, routes, schedules } from '#infra/routes.ts';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';
import { deployment } from '#test/deployed/support/deployed.ts';

// Compares the deployed stack, as AWS's own interfaces describe it, with the routes and definitions in the code.

interface FunctionConfiguration {
  readonly FunctionName: string;
  readonly FunctionArn: string;
  readonly Description?: string;
  readonly Timeout: number;
  readonly MemorySize: number;
  readonly Environment?: { readonly Variables: Readonly<Record<string, string>> };
}

const aws = awsCommand(deployment());
const functions = new Map<string, FunctionConfiguration>();
const nameOf = ({ Description = '' }: FunctionConfiguration) => /^functions\/(.+)\.ts$/.exec(Description)?.[1];

/** Sorts rows, because AWS lists them in no order. */
const inOrder = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

const keyOf = (schema: readonly { AttributeName: string }[]) => schema.map(({ AttributeName }) => AttributeName);

beforeAll(async () => {
  const { Functions } = (await aws('lambda', 'list-functions')) as { Functions: readonly FunctionConfiguration[] };
  for (const each of Functions) {
    const name = nameOf(each);
    if (name !== undefined) functions.set(name, each);
  }
});

it('every route of API Gateway leads to its function, without an authorizer of API Gateway’s own', async () => {
  const { Items: apis } = await aws('apigatewayv2', 'get-apis');
  const of = ['--api-id', apis[0].ApiId];
  const [{ Items: deployed }, { Items: integrations }] = await Promise.all([
    aws('apigatewayv2', 'get-routes', ...of),
    aws('apigatewayv2', 'get-integrations', ...of),
  ]);
  const byArn = new Map([...functions].map(([name, { FunctionArn }]) => [FunctionArn, name]));
  const uris = new Map(
    integrations.map((each: { IntegrationId: string; IntegrationUri: string }) => [
      `integrations/${each.IntegrationId}`,
      /arn:aws:lambda:[\w-]+:\d+:function:[\w-]+/.exec(each.IntegrationUri)?.[0],
    ]),
  );
  const found = deployed.map((each: { RouteKey: string; Target: string; AuthorizationType?: string }) => [
    each.RouteKey,
    byArn.get(String(uris.get(each.Target))),
    each.AuthorizationType ?? 'NONE',
  ]);
  const expected = [
    ...routes.map((route) => [`${route.method} ${route.path}`, route.function, 'NONE']),
    ['$default', 'not-found', 'NONE'],
  ];
  expect(inOrder(found)).toEqual(inOrder(expected));
});

const common = [
  'BASE_URL',
  'DASHBOARD_URL',
  'DOCS_URL',
  'EDGE_ONLY',
  'PLATFORM_FEE_BPS',
  'REMEMBERED_READS_MS',
  'STRIPE_CONNECT_CLIENT_ID',
  'TABLE_NAME',
];
const mails = ['MAIL_CONFIGURATION_SET', 'MAIL_FROM'];
const memory = { usual: 1024, heavy: 2048, sending: 256, long: 2048 };

const described = (size: keyof typeof memory, ...variables: readonly string[]) => ({
  timeout: functionTimeoutSeconds[size],
  memory: memory[size],
  variables: [...common, ...variables].toSorted(),
});

const sizeOf = ({ uses }: Pick<DeployedFunction, 'uses'>) =>
  (['heavy', 'long'] as const).find((size) => uses.includes(size)) ?? 'usual';

const variablesOf = (of: DeployedFunction): readonly string[] => [
  ...(of.uses.includes('signIn') ? ['OIDC_AUDIENCE', 'OIDC_ISSUER', 'OIDC_JWKS_URL'] : []),
  ...(of.uses.some((use) => /^(seal|open)/.test(use)) ? ['VAULT_KEY_ID'] : []),
  ...(of.uses.includes('platformSecrets') ? ['STRIPE_SECRETS_ID'] : []),
  ...(of.uses.includes('exports') ? ['EXPORTS_BUCKET'] : []),
  ...(of.uses.includes('wake') ? ['WEBHOOK_QUEUE_URL'] : []),
];

const expectedFunctions = {
  ...Object.fromEntries(deployedFunctions.map((of) => [of.name, described(sizeOf(of), ...variablesOf(of))])),
  [counters.function]: described(sizeOf(counters)),
  [outbox.function]: described(sizeOf(outbox), ...mails, 'WEBHOOK_QUEUE_URL'),
  [schedules[0].function]: described(sizeOf(schedules[0]), ...mails, 'WEBHOOK_QUEUE_URL'),
  [schedules[1].function]: described('long'),
  [deliverer.function]: described('sending', 'VAULT_KEY_ID', 'WEBHOOK_QUEUE_URL'),
  [mailFeedback.function]: described('usual'),
  [deployers[0].function]: { ...described('heavy'), variables: ['TABLE_NAME'] },
};

it('every deployed function has the timeout, the memory and the variables that its definition names', () => {
  const found = [...functions].map(([name, { Timeout, MemorySize, Environment }]) => [
    name,
    { timeout: Timeout, memory: MemorySize, variables: Object.keys(Environment?.Variables ?? {}).toSorted() },
  ]);
  expect(Object.fromEntries(found)).toEqual(expectedFunctions);
});

describe('the table', () => {
  const of = ['--table-name', deployment().outputs.TableName!];

  it('has its keys, indexes and stream', async () => {
    const { Table } = await aws('dynamodb', 'describe-table', ...of);
    const { partitionKey, sortKey, indexes, streamView } = tableDefinition;
    expect(keyOf(Table.KeySchema)).toEqual([partitionKey, sortKey]);
    expect(Table.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: streamView });
    const found = Table.GlobalSecondaryIndexes.map(
      (each: { IndexName: string; KeySchema: readonly { AttributeName: string }[]; Projection: object }) => [
        each.IndexName,
        ...keyOf(each.KeySchema),
        each.Projection,
      ],
    );
    expect(inOrder(found)).toEqual(
      inOrder(
        indexes.map(({ name, projection, ...keys }) => [
          name,
          keys.partitionKey,
          keys.sortKey,
          { ProjectionType: projection },
        ]),
      ),
    );
  });

  it('expires items by its TTL attribute', async () => {
    // The emulator omits this for a table it creates, so it is read from the stack.
    const { TemplateBody } = await aws('cloudformation', 'get-template', '--stack-name', STACK);
    const { Resources } = (typeof TemplateBody === 'string' ? JSON.parse(TemplateBody) : TemplateBody) as Template;
    const tables = Object.values(Resources).filter(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable');
    expect(tables.map(({ Properties }) => Properties?.TimeToLiveSpecification)).toEqual([
      { AttributeName: tableDefinition.timeToLiveAttribute, Enabled: true },
    ]);
  });
});

it('the table’s stream and the queue start their functions', async () => {
  const { EventSourceMappings } = await aws('lambda', 'list-event-source-mappings');
  const byArn = new Map([...functions].map(([name, { FunctionArn }]) => [FunctionArn, name]));
  const found = EventSourceMappings.map(
    (each: { FunctionArn: string; BatchSize: number; MaximumBatchingWindowInSeconds?: number; State: string }) => [
      byArn.get(each.FunctionArn),
      each.BatchSize,
      each.MaximumBatchingWindowInSeconds ?? 0,
      each.State,
    ],
  );
  expect(inOrder(found)).toEqual(
    inOrder([
      ...consumers.map((each) => [each.function, each.batchSize, each.batchWindowSeconds, 'Enabled']),
      [deliverer.function, 1, 0, 'Enabled'],
    ]),
  );
});

it('the schedules run every minute and every hour', async () => {
  const { Rules } = await aws('events', 'list-rules');
  const scheduled = Rules.filter((rule: { ScheduleExpression?: string }) => rule.ScheduleExpression !== undefined);
  const found = scheduled.map((rule: { ScheduleExpression: string; State: string }) => [
    rule.ScheduleExpression,
    rule.State,
  ]);
  expect(inOrder(found)).toEqual(
    inOrder([
      ['rate(1 minute)', 'ENABLED'],
      ['rate(1 hour)', 'ENABLED'],
    ]),
  );
});
