import { describe, expect, it } from 'vitest';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { consumers, fallback, routes } from '#infra/routes.ts';
import { propertiesOf, statementsOf, templateWith } from '#test/infra/synthesized.ts';

const template = templateWith();

const functions = propertiesOf(template, 'AWS::Lambda::Function');

const deployed = (functionName: string) =>
  functions.find(({ Description }) => Description === `functions/${functionName}.ts`);

it('has its role for itself, and only those that read the stream have a policy besides', () => {
  expect(new Set(functions.map(({ Role }) => Role['Fn::GetAtt'][0])).size).toBe(functions.length);
  expect(propertiesOf(template, 'AWS::IAM::Policy')).toHaveLength(consumers.length);
});

it('exists once for each file that the index names', () => {
  const named = new Set([...routes.map((route) => route.function), fallback.function]);
  expect(new Set(deployedFunctions.map(({ name }) => name))).toEqual(named);
  expect(functions).toHaveLength(named.size + consumers.length);
});

const allowedOnVault = (Action: string) => ({
  Effect: 'Allow',
  Action,
  Resource: { 'Fn::GetAtt': [expect.stringMatching(/^SecretsVault/), 'Arn'] },
});
const onVault = { seal: allowedOnVault('kms:Encrypt'), open: allowedOnVault('kms:Decrypt') };
const onPlatformSecrets = {
  Effect: 'Allow',
  Action: 'secretsmanager:GetSecretValue',
  Resource: { Ref: expect.stringMatching(/^SecretsPlatform/) },
};

describe.each(deployedFunctions.map(({ name }) => name))('%s', (name) => {
  const rows = [...routes, fallback].filter((row) => row.function === name);
  const actionsOfItsRows = new Set(
    rows.flatMap(({ tableActions }) => tableActions.map((action) => `dynamodb:${action}`)),
  );

  it('may do to the table what its rows say, write the log, and nothing else', () => {
    const [logging, onTable, ...others] = statementsOf(template, name);
    const onIndex = {
      Effect: 'Allow',
      Action: 'dynamodb:Query',
      Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] }, '/index/gsi1']] },
    };
    const secrets = rows.flatMap((row) => [
      ...('vault' in row && row.vault ? [onVault[row.vault]] : []),
      ...('readsPlatformSecrets' in row ? [onPlatformSecrets] : []),
    ]);
    expect(others).toEqual([...(rows.some((row) => 'listsByIndex' in row) ? [onIndex] : []), ...secrets]);
    expect(logging).toEqual({
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Log/), 'Arn'] },
    });
    expect({ ...onTable, Action: [onTable?.Action].flat() }).toEqual({
      Effect: 'Allow',
      Action: [...actionsOfItsRows],
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] },
    });
  });
});

describe('every function', () => {
  it('runs on Node 24 on arm64', () => {
    for (const { Runtime, Architectures } of functions) {
      expect({ Runtime, Architectures }).toEqual({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });

  it('answers before the gateway gives up', () => {
    for (const { Timeout } of functions) expect(Timeout).toBeLessThan(30);
  });

  it('logs JSON to one group', () => {
    const logGroup = Object.keys(template.findResources('AWS::Logs::LogGroup')).find((id) => id.startsWith('Log'));
    for (const { LoggingConfig } of functions) {
      expect(LoggingConfig).toEqual({ LogFormat: 'JSON', LogGroup: { Ref: logGroup } });
    }
  });
});

describe('the environment', () => {
  const configuration = ['TABLE_NAME', 'BASE_URL', 'DASHBOARD_URL', 'DOCS_URL', 'PLATFORM_FEE_BPS'];
  const signIn = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_JWKS_URL'];

  it.each(deployedFunctions)(
    'of $name is its configuration, and no secret',
    ({ name, signsIn, vault, readsPlatformSecrets }) => {
      expect(Object.keys(deployed(name).Environment.Variables)).toEqual([
        ...configuration,
        ...(signsIn ? signIn : []),
        ...(vault ? ['VAULT_KEY_ID'] : []),
        ...(readsPlatformSecrets ? ['STRIPE_SECRETS_ID'] : []),
      ]);
    },
  );

  it('names the platform’s account on the processor where one is set', () => {
    const withAccount = templateWith({ stripeConnectClientId: 'ca_1' });
    for (const { Environment, Description } of propertiesOf(withAccount, 'AWS::Lambda::Function')) {
      expect([Description, Environment.Variables.STRIPE_CONNECT_CLIENT_ID]).toEqual([Description, 'ca_1']);
    }
  });
});

describe.each([
  { stage: 'dev', days: 7, policy: 'Delete' },
  { stage: 'prod', days: 90, policy: 'Retain' },
])('the $stage stage', ({ stage, days, policy }) => {
  const logGroups = Object.values(templateWith({ stage }).findResources('AWS::Logs::LogGroup'));

  it('has a log group for the functions and one for the API', () => {
    expect(logGroups).toHaveLength(2);
  });

  it(`keeps logs for ${days} days`, () => {
    for (const { Properties, DeletionPolicy } of logGroups) {
      expect({ days: Properties.RetentionInDays, policy: DeletionPolicy }).toEqual({ days, policy });
    }
  });
});
