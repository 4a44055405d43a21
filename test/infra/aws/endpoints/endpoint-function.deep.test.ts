import { describe, expect, it } from 'vitest';
import { deployedFunctions, nestedStackOf, onlyItems } from '#infra/deployed-functions.ts';
import {
  canary,
  consumers,
  deliverer,
  deployers,
  fallback,
  mailFeedback,
  routes,
  type Use,
  schedules,
} from '#infra/routes.ts';
import { serviceFunctions, propertiesOf, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

// Some functions exist only with these settings.
const template = templateWith({ canary: 'true', mailFrom: 'referrals@acme.test' });

const functions = serviceFunctions(template);

const deployed = (functionName: string) =>
  functions.find(({ Description }) => Description === `functions/${functionName}.ts`);

const getAtt = (id: RegExp) => ({ 'Fn::GetAtt': [expect.stringMatching(id), 'Arn'] });

const roleOf = (functionName: string): string => deployed(functionName).Role['Fn::GetAtt'][0];

/** By use: the action, and the name that the encryption context of the call must contain. */
const vaultPermissions: Partial<Record<Use, readonly [string, string]>> = {
  sealSecrets: ['kms:Encrypt', 'program_id'],
  openSecrets: ['kms:Decrypt', 'program_id'],
  sealDetails: ['kms:Encrypt', 'account_id'],
  openDetails: ['kms:Decrypt', 'account_id'],
  sealPayer: ['kms:Encrypt', 'workspace_id'],
  openPayer: ['kms:Decrypt', 'workspace_id'],
};

describe('the IAM roles of the functions', () => {
  const names = functions.map(({ Description }) => String(Description).slice('functions/'.length, -'.ts'.length));
  const byRole = Map.groupBy(names, roleOf);

  it('are shared by endpoints of a nested stack that have equal permissions', () => {
    const endpoints = deployedFunctions.filter(({ takesEvents }) => !takesEvents);
    const shared = endpoints.map(({ name }) => name);
    const permissions = new Set(
      endpoints.map(({ name }) => JSON.stringify([nestedStackOf(name), statementsOf(template, name)])),
    );
    expect(new Set(shared.map(roleOf))).toHaveLength(permissions.size);
    expect(permissions.size).toBeLessThan(shared.length / 2);
  });

  it('belong to one function only, if that receives events, reads the stream or runs during deployments', () => {
    const own = [
      ...deployedFunctions.filter(({ takesEvents }) => takesEvents).map(({ name }) => name),
      ...[...consumers, ...schedules, canary, deliverer, mailFeedback, ...deployers].map((each) => each.function),
    ];
    for (const name of own) expect(byRole.get(roleOf(name))).toEqual([name]);
  });

  it('can be assumed only by Lambda, and only for this AWS account', () => {
    const roles = template.findResources('AWS::IAM::Role');
    for (const id of byRole.keys()) {
      expect(roles[id]!.Properties.AssumeRolePolicyDocument.Statement).toEqual([
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { Service: 'lambda.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ]);
    }
  });

  it('have no attached policies, except those of the functions that read the stream', () => {
    const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
      .flatMap((type) => propertiesOf(template, type))
      .flatMap(({ Roles }) => Roles.map(({ Ref }: { Ref: string }) => Ref));
    expect(attached.flatMap((id) => byRole.get(id) ?? [])).toEqual(consumers.map((each) => each.function));
  });
});

it('one function is deployed for each function that infra/routes.ts names, and one for each other trigger', () => {
  const named = new Set([...routes.map((route) => route.function), fallback.function]);
  expect(new Set(deployedFunctions.map(({ name }) => name))).toEqual(named);
  const others = [...consumers, ...schedules, canary, deliverer, mailFeedback, ...deployers];
  expect(functions).toHaveLength(named.size + others.length);
});

describe.each(deployedFunctions.map(({ name }) => name))('the deployed function %s', (name) => {
  const rows = [...routes, fallback].filter((row) => row.function === name);
  const has = (use: Use) => rows.some(({ uses }) => (uses as readonly Use[]).includes(use));
  const uses = new Set(rows.flatMap((row) => row.uses as readonly Use[]));
  const vault = [...uses].flatMap((use) => (use in vaultPermissions ? [vaultPermissions[use]!] : []));
  const actionsOfItsRows = new Set(
    rows.flatMap(({ tableActions }) => tableActions.map((action) => `dynamodb:${action}`)),
  );

  it('has only the permissions that infra/routes.ts declares, and those to write its log and traces', () => {
    const onTable = {
      Effect: 'Allow',
      Action: expect.anything(),
      Resource: getAtt(/^Table/),
      ...(onlyItems[name] && { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': onlyItems[name] } } }),
    };
    const onIndex = (index: string) => ({ 'Fn::Join': ['', [getAtt(/^Table/), `/index/${index}`]] });
    const secret = { Ref: expect.stringMatching(/^SecretsPlatform/) };
    const below = (folder: string) => ({ 'Fn::Join': ['', [getAtt(/^ExportsFiles/), `/${folder}/*`]] });
    const statements = statementsOf(template, name);
    expect(statements).toEqual([
      { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: getAtt(/^Log/) },
      onTable,
      ...(has('programIndex') ? [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource: onIndex('gsi1') }] : []),
      ...(has('partnerIndex') ? [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource: onIndex('gsi2') }] : []),
      { Effect: 'Allow', Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], Resource: '*' },
      ...vault.map(([Action, contextName]) => ({
        Effect: 'Allow',
        Action,
        Resource: getAtt(/^SecretsVault/),
        Condition: { 'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': contextName } },
      })),
      ...(has('platformSecrets')
        ? [{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: secret }]
        : []),
      ...(has('exports')
        ? [
            { Effect: 'Allow', Action: 's3:PutObject', Resource: [below('exports'), below('work')] },
            { Effect: 'Allow', Action: 's3:GetObject', Resource: below('work') },
          ]
        : []),
      ...(has('wake') ? [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: getAtt(/^QueueWakes/) }] : []),
    ]);
    // The order is ignored, because a shared role has the order of the first function's rows.
    const actions = [statements[1]?.Action].flat();
    expect(actions).toHaveLength(actionsOfItsRows.size);
    expect(new Set(actions)).toEqual(actionsOfItsRows);
  });
});

describe('no deployed function', () => {
  const statements = functions.flatMap(({ Description }) =>
    statementsOf(template, Description.slice('functions/'.length, -'.ts'.length)),
  );

  it('has a permission with a wildcard in the action', () => {
    for (const { Action } of statements) expect([Action].flat().join(' ')).not.toContain('*');
  });

  it('has a permission on all resources, except to write traces', () => {
    // Names of files in a bucket are not known, so a wildcard below a folder is allowed.
    const everywhere = statements.filter(({ Resource }) => JSON.stringify(Resource).replaceAll('/*', '').includes('*'));
    expect(everywhere).toHaveLength(functions.length);
    for (const { Action } of everywhere) expect(Action).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
  });
});

describe('every deployed function', () => {
  it('runs on Node 24 on arm64', () => {
    for (const { Runtime, Architectures } of functions) {
      expect({ Runtime, Architectures }).toEqual({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });

  it('has more memory if it is listed as heavy, and a timeout below that of API Gateway', () => {
    const heavy = routes.filter(({ uses }) => uses.includes('heavy')).map((route) => `functions/${route.function}.ts`);
    expect(heavy).toEqual([
      'functions/dashboard/audit/export.ts',
      'functions/dashboard/partners/get.ts',
      'functions/dashboard/invitations/post.ts',
      'functions/dashboard/terms/preview.ts',
      'functions/dashboard/links/get.ts',
      'functions/dashboard/codes/post.ts',
      'functions/dashboard/code/patch.ts',
      'functions/dashboard/rules/get.ts',
      'functions/dashboard/search/get.ts',
      'functions/dashboard/customer/export.ts',
      'functions/dashboard/commissions/export.ts',
      'functions/dashboard/commissions/approve.ts',
      'functions/dashboard/commissions/reject.ts',
      'functions/dashboard/commissions/release.ts',
      'functions/dashboard/commissions/reopen.ts',
      'functions/dashboard/owed/get.ts',
      'functions/dashboard/payouts/post.ts',
      'functions/dashboard/payouts/preview.ts',
      'functions/dashboard/payout/get.ts',
      'functions/dashboard/payout-files/get.ts',
      'functions/dashboard/payout/continue.ts',
      'functions/dashboard/payout-lines/post.ts',
      'functions/dashboard/statement/get.ts',
      'functions/dashboard/webhook/replay.ts',
      'functions/partner/overview/get.ts',
      'functions/partner/export/get.ts',
      'functions/partner/commissions/export.ts',
      'functions/partner/statement/get.ts',
      'functions/partner/me/delete.ts',
    ]);
    // Functions that run in the background.
    const apart = [...consumers, ...schedules, ...deployers].filter(({ uses }) =>
      (uses as readonly Use[]).includes('heavy'),
    );
    const unasked = apart.map((each) => `functions/${each.function}.ts`);
    const waiting = [deliverer, canary].map((each) => deployed(each.function));
    for (const each of waiting) expect(each).toMatchObject({ MemorySize: 256, Timeout: 60 });
    const rebuild = deployed(schedules[1].function);
    expect(rebuild).toMatchObject({ MemorySize: 2048, Timeout: 900 });
    const others = functions.filter((each) => ![...waiting, rebuild].includes(each));
    for (const { Description, MemorySize, Timeout } of others) {
      const isHeavy = [...heavy, ...unasked].includes(Description);
      expect({ MemorySize, Timeout }).toEqual(
        isHeavy ? { MemorySize: 2048, Timeout: 29 } : { MemorySize: 1024, Timeout: 10 },
      );
    }
  });

  it('writes traces', () => {
    for (const { TracingConfig } of functions) expect(TracingConfig).toEqual({ Mode: 'Active' });
  });

  it('logs JSON to one log group', () => {
    const logGroup = Object.keys(template.findResources('AWS::Logs::LogGroup')).find((id) => id.startsWith('Log'));
    for (const { LoggingConfig } of functions) {
      expect(LoggingConfig).toEqual({ LogFormat: 'JSON', LogGroup: { Ref: logGroup } });
    }
  });
});

const reserved = (context?: Record<string, string>) =>
  Object.fromEntries(
    serviceFunctions(templateWith(context)).flatMap(({ Description, ReservedConcurrentExecutions: most }) =>
      most === undefined ? [] : [[Description, most]],
    ),
  );

describe('the reserved concurrency of the functions', () => {
  it.each(['dev', 'prod'])(
    'is not set by default in %s, because a new AWS account may run only ten functions in parallel',
    (stage) => {
      expect(reserved({ stage })).toEqual({});
    },
  );

  it('can be set for public endpoints, so that capacity remains for sales and payments', () => {
    expect(reserved({ stage: 'prod', publicConcurrency: '50' })).toEqual({
      'functions/track/click.ts': 50,
      'functions/track/lead.ts': 50,
    });
  });
});

describe('the environment variables of the functions', () => {
  const configuration = [
    'TABLE_NAME',
    'BASE_URL',
    'DASHBOARD_URL',
    'EDGE_ONLY',
    'DOCS_URL',
    'PLATFORM_FEE_BPS',
    'REMEMBERED_READS_MS',
  ];
  const signIn = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_JWKS_URL'];

  it.each(deployedFunctions)('of $name are exactly those that it needs', ({ name, uses }) => {
    expect(Object.keys(deployed(name).Environment.Variables)).toEqual([
      ...configuration,
      ...(uses.includes('signIn') ? signIn : []),
      ...(uses.some((use) => /^(seal|open)/.test(use)) ? ['VAULT_KEY_ID'] : []),
      ...(uses.includes('platformSecrets') ? ['STRIPE_SECRETS_ID'] : []),
      ...(uses.includes('exports') ? ['EXPORTS_BUCKET'] : []),
      ...(uses.includes('wake') ? ['WEBHOOK_QUEUE_URL'] : []),
    ]);
  });

  it('contain names of secrets and keys, but not their values', () => {
    const environments = functions.map(({ Environment }) => Environment.Variables);
    const values = (name: string) => environments.flatMap((variables) => (name in variables ? [variables[name]] : []));
    expect(new Set(values('VAULT_KEY_ID').map((value) => JSON.stringify(value)))).toHaveLength(1);
    expect(values('VAULT_KEY_ID')[0]).toEqual(getAtt(/^SecretsVault/));
    for (const value of values('STRIPE_SECRETS_ID')) {
      expect(value).toEqual({ Ref: expect.stringMatching(/^SecretsPlatform/) });
    }
    const text = JSON.stringify(environments);
    expect(text).not.toMatch(/resolve:secretsmanager|sk_live|whsec_/);
    // The edge's secret must not be in the environment: it is an attribute of the resource that creates it.
    expect(text).not.toContain('EdgeSecret');
  });
});

describe.each([
  { stage: 'dev', days: 7, policy: 'Delete' },
  { stage: 'prod', days: 90, policy: 'RetainExceptOnCreate' },
])('the $stage stage', ({ stage, days, policy }) => {
  const logGroups = Object.values(templateWith({ stage }).findResources('AWS::Logs::LogGroup'));

  it('has one log group for the functions and one for the API', () => {
    expect(logGroups).toHaveLength(2);
  });

  it(`keeps logs for ${days} days`, () => {
    for (const { Properties, DeletionPolicy } of logGroups) {
      expect({ days: Properties.RetentionInDays, policy: DeletionPolicy }).toEqual({ days, policy });
    }
  });
});
