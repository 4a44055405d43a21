import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { ServiceStack } from '#infra/aws/service-stack.ts';
import { settingsFrom } from '#infra/aws/settings.ts';
import { inlineCode, propertiesOf, someSite, templateWith } from '#test/infra/aws/synthesized.ts';

/** What CloudFormation calls the name of a resource, by which a second one of it collides with the first. */
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

describe('what a prod stack leaves behind', () => {
  const resources = retained(resourcesWith(prod));

  it('is what cannot be made again', () => {
    expect(resources.map(({ Type }) => String(Type)).toSorted()).toEqual([
      'AWS::Cognito::UserPool',
      'AWS::DynamoDB::GlobalTable',
      'AWS::KMS::Key',
      'AWS::Logs::LogGroup',
      'AWS::Logs::LogGroup',
      'AWS::SecretsManager::Secret',
    ]);
  });

  it('stays at a deletion and at a replacement, and goes when its own creation is rolled back', () => {
    for (const { DeletionPolicy, UpdateReplacePolicy } of resources) {
      expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    }
  });

  it('has no name that the next stack would want', () => {
    const names = resources.flatMap(({ Properties }) => nameProperties.map((name) => JSON.stringify(Properties[name])));
    expect(names.filter((name) => name !== undefined && !name.includes('AWS::StackId'))).toEqual([]);
  });
});

describe('the first deployment', () => {
  it('leaves no lock behind that would keep a failed one from being rolled back and repeated', () => {
    expect(isProtected(first)).toBe(false);
    const template = templateWith(first);
    const [table] = propertiesOf(template, 'AWS::DynamoDB::GlobalTable');
    expect(table.Replicas[0].DeletionProtectionEnabled).toBe(false);
    expect(propertiesOf(template, 'AWS::Cognito::UserPool')[0].DeletionProtection).toBe('INACTIVE');
  });

  it('is followed by one that locks, and so is every other', () => {
    expect(isProtected(prod)).toBe(true);
    const template = templateWith(prod);
    const [table] = propertiesOf(template, 'AWS::DynamoDB::GlobalTable');
    expect(table.Replicas[0].DeletionProtectionEnabled).toBe(true);
    expect(propertiesOf(template, 'AWS::Cognito::UserPool')[0].DeletionProtection).toBe('ACTIVE');
  });

  it('keeps the same resources for the same time', () => {
    expect(policiesOf(first)).toEqual(policiesOf(prod));
  });

  it('empties the bucket of pages before it removes it', () => {
    for (const context of [first, prod, { stage: 'dev' }]) {
      const deployments = propertiesOf(templateWith(context), 'Custom::CDKBucketDeployment');
      expect(deployments.filter(({ RetainOnDelete }) => RetainOnDelete === false)).toHaveLength(1);
    }
  });
});
