import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { ServiceStack } from '#infra/aws/service-stack.ts';
import { settingsFrom } from '#infra/aws/settings.ts';
import { inlineCode, propertiesOf, someSite, templateWith } from '#test/infra/aws/synthesized.ts';

/** CloudFormation's name property of a resource, which conflicts with another of the same name. */
const nameProperties = ['BucketName', 'LogGroupName', 'Name', 'RoleName', 'TableName', 'TopicName', 'UserPoolName'];

// oxlint-disable-next-line typescript/no-explicit-any -- a template is untyped JSON
type Resource = Record<string, any>;

const resourcesWith = (context: Record<string, string>): Resource[] =>
  Object.values(templateWith(context).toJSON().Resources);

const retained = (resources: readonly Resource[]) =>
  resources.filter(({ DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }) =>
    [DeletionPolicy, UpdateReplacePolicy].some((policy) => policy !== 'Delete'),
  );

const policiesOf = (context: Record<string, string>) =>
  retained(resourcesWith(context)).map(({ Type, DeletionPolicy }) => [Type, DeletionPolicy]);

const isProtected = (context: Record<string, string>) => {
  const app = new App({ context, builtinCloudFormationValidation: false });
  return new ServiceStack(app, 'Service', { settings: settingsFrom(app.node), site: someSite, codeOf: inlineCode })
    .terminationProtection;
};

const prod = { stage: 'prod' };
const first = { ...prod, firstDeployment: 'true' };

describe('the resources that are kept when a production stack is deleted', () => {
  const resources = retained(resourcesWith(prod));

  it('are those with data: the table, the user pool, the key, the secret and the logs', () => {
    expect(resources.map(({ Type }) => String(Type)).toSorted()).toEqual([
      'AWS::Cognito::UserPool',
      'AWS::DynamoDB::GlobalTable',
      'AWS::KMS::Key',
      'AWS::Logs::LogGroup',
      'AWS::Logs::LogGroup',
      'AWS::SecretsManager::Secret',
    ]);
  });

  it('are also kept when they are replaced, but are removed if the deployment that creates them is rolled back', () => {
    for (const { DeletionPolicy, UpdateReplacePolicy } of resources) {
      expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    }
  });

  it('have no fixed names, which would conflict with those of the next stack', () => {
    const names = resources.flatMap(({ Properties }) => nameProperties.map((name) => JSON.stringify(Properties[name])));
    expect(names.filter((name) => name !== undefined && !name.includes('AWS::StackId'))).toEqual([]);
  });
});

describe('the first deployment of a stack', () => {
  it('sets no deletion protection, which would block the rollback of a failed deployment', () => {
    expect(isProtected(first)).toBe(false);
    const template = templateWith(first);
    const [table] = propertiesOf(template, 'AWS::DynamoDB::GlobalTable');
    expect(table.Replicas[0].DeletionProtectionEnabled).toBe(false);
    expect(propertiesOf(template, 'AWS::Cognito::UserPool')[0].DeletionProtection).toBe('INACTIVE');
  });

  it('is followed by deployments with deletion protection', () => {
    expect(isProtected(prod)).toBe(true);
    const template = templateWith(prod);
    const [table] = propertiesOf(template, 'AWS::DynamoDB::GlobalTable');
    expect(table.Replicas[0].DeletionProtectionEnabled).toBe(true);
    expect(propertiesOf(template, 'AWS::Cognito::UserPool')[0].DeletionProtection).toBe('ACTIVE');
  });

  it('keeps the same resources on deletion as later deployments', () => {
    expect(policiesOf(first)).toEqual(policiesOf(prod));
  });

  it('empties the bucket of the pages before the bucket is deleted', () => {
    for (const context of [first, prod, { stage: 'dev' }]) {
      const deployments = propertiesOf(templateWith(context), 'Custom::CDKBucketDeployment');
      expect(deployments.filter(({ RetainOnDelete }) => RetainOnDelete === false)).toHaveLength(1);
    }
  });
});
