import { describe, expect, it } from 'vitest';
import { deployedFunctions } from '#infra/deployed-functions.ts';
import { consumers, fallback, routes } from '#infra/routes.ts';
import { propertiesOf, templateWith } from '#test/infra/synthesized.ts';

const template = templateWith();

const functions = propertiesOf(template, 'AWS::Lambda::Function');

/** All that the function may do: its role has no permission but those of its policies. */
function statementsOf(functionName: string) {
  const { Role } = functions.find(({ Description }) => Description === `functions/${functionName}.ts`);
  const [roleId] = Role['Fn::GetAtt'];
  const role = template.findResources('AWS::IAM::Role')[roleId]!.Properties;
  expect(Object.keys(role)).toEqual(['AssumeRolePolicyDocument']);
  return propertiesOf(template, 'AWS::IAM::Policy')
    .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === roleId))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

it('exists once for each file that the index names', () => {
  const named = new Set([...routes.map((route) => route.function), fallback.function]);
  expect(new Set(deployedFunctions.map(({ name }) => name))).toEqual(named);
  expect(functions).toHaveLength(named.size + consumers.length);
});

describe.each(deployedFunctions.map(({ name }) => name))('%s', (name) => {
  const rows = [...routes, fallback].filter((row) => row.function === name);
  const actionsOfItsRows = new Set(
    rows.flatMap(({ tableActions }) => tableActions.map((action) => `dynamodb:${action}`)),
  );

  it('may do to the table what its rows say, write its own log, and nothing else', () => {
    const [logging, onTable, ...others] = statementsOf(name);
    const onIndex = {
      Effect: 'Allow',
      Action: 'dynamodb:Query',
      Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] }, '/index/gsi1']] },
    };
    expect(others).toEqual(rows.some((row) => 'listsByIndex' in row) ? [onIndex] : []);
    expect(logging).toEqual({
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/log/), 'Arn'] },
    });
    expect({ ...onTable, Action: [onTable?.Action].flat() }).toEqual({
      Effect: 'Allow',
      // A single action stands alone in the template.
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

  it('logs JSON to a group of its own', () => {
    expect(functions.every(({ LoggingConfig }) => LoggingConfig.LogFormat === 'JSON')).toBe(true);
    expect(new Set(functions.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref)).size).toBe(functions.length);
  });

  it('gets its configuration, and no secret', () => {
    for (const { Environment } of functions) {
      expect(Object.keys(Environment.Variables)).toEqual([
        'TABLE_NAME',
        'BASE_URL',
        'DASHBOARD_URL',
        'DOCS_URL',
        'PLATFORM_FEE_BPS',
      ]);
    }
  });
});

describe.each([
  { stage: 'dev', days: 7, policy: 'Delete' },
  { stage: 'prod', days: 90, policy: 'Retain' },
])('the $stage stage', ({ stage, days, policy }) => {
  const logGroups = Object.values(templateWith({ stage }).findResources('AWS::Logs::LogGroup'));

  it('has a log group for each function and one for the API', () => {
    expect(logGroups).toHaveLength(deployedFunctions.length + consumers.length + 1);
  });

  it(`keeps logs for ${days} days`, () => {
    for (const { Properties, DeletionPolicy } of logGroups) {
      expect({ days: Properties.RetentionInDays, policy: DeletionPolicy }).toEqual({ days, policy });
    }
  });
});
