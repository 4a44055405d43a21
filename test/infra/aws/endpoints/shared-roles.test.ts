import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { SharedRoles } from '#infra/aws/endpoints/function-role.ts';
import { GatewayRole } from '#infra/aws/endpoints/gateway-role.ts';

const emptyStack = () => new Stack(new App({ builtinCloudFormationValidation: false }), 'Stack');

const allow = (actions: readonly string[], resource = 'arn:table') =>
  new PolicyStatement({ actions: actions.map((action) => `dynamodb:${action}`), resources: [resource] });

/** Logical ids of the roles for these permissions, requested in this order. */
const rolesFor = (...each: (readonly PolicyStatement[])[]): string[] => {
  const stack = emptyStack();
  const roles = new SharedRoles(stack, 'Roles');
  return each.map((statements) => stack.resolve(roles.roleFor(statements).roleArn)['Fn::GetAtt'][0]);
};

describe('the IAM role that functions share', () => {
  const read = () => [allow(['BatchGetItem', 'UpdateItem'])];
  const write = () => [allow(['BatchGetItem', 'UpdateItem', 'PutItem'])];

  it('is the same for equal permissions, in any order of the actions', () => {
    const [one, other] = rolesFor(read(), [allow(['UpdateItem', 'BatchGetItem'])]);
    expect(one).toBe(other);
  });

  it.each([
    ['an additional action', write()],
    ['the same actions on another resource', [allow(['BatchGetItem', 'UpdateItem'], 'arn:index')]],
    ['the same actions on an additional resource', [...read(), allow(['BatchGetItem', 'UpdateItem'], 'arn:index')]],
    [
      'a condition',
      [
        new PolicyStatement({
          actions: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'],
          resources: ['arn:table'],
          conditions: { Bool: { 'aws:SecureTransport': 'true' } },
        }),
      ],
    ],
  ])('differs if the permissions differ by %s', (_, statements) => {
    const [one, other] = rolesFor(read(), statements);
    expect(one).not.toBe(other);
  });

  it('is named after its permissions, and keeps its name when other functions change', () => {
    const [alone] = rolesFor(write());
    expect(rolesFor(read(), write(), [allow(['Query'])])[1]).toBe(alone);
    expect(alone).toMatch(/^RolesGetPutUpdate/);
  });
});

/** The logical id of each function's policy, by function. */
const policiesBy = (names: readonly string[]): Map<string, string> => {
  const stack = emptyStack();
  const role = new GatewayRole(stack, 'Gateway');
  for (const name of names) {
    const code = Code.fromInline('exports.handler = () => {}');
    const handler = new LambdaFunction(stack, name, { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code });
    role.integration(name, handler);
  }
  const policies = Template.fromStack(stack).findResources('AWS::IAM::ManagedPolicy', Match.anyValue());
  return new Map(
    Object.entries(policies).flatMap(([id, { Properties }]) =>
      [Properties.PolicyDocument.Statement[0].Resource]
        .flat()
        .map((arn): [string, string] => [arn['Fn::GetAtt'][0], id]),
    ),
  );
};

it('when other functions change, the permission of API Gateway to invoke a function stays in the same policy', () => {
  const some = ['dashboard/me/get', 'cli/init', 'not-found', 'agent/program/get', 'dashboard/links/get'];
  const before = policiesBy(some);
  const after = policiesBy(['dashboard/new/get', ...some.toReversed(), 'dashboard/new/post']);
  expect(before.size).toBe(some.length);
  for (const [functionId, policyId] of before) expect(after.get(functionId)).toBe(policyId);
});
