import { describe, expect, it } from 'vitest';
import type { Template } from 'aws-cdk-lib/assertions';
import { propertiesOf, serviceFunctions, statementsOf, templateWith } from '#test/infra/aws/synthesized.ts';

function tableWith(context?: Record<string, string>) {
  const tables = Object.values(templateWith(context).findResources('AWS::DynamoDB::GlobalTable'));
  expect(tables).toHaveLength(1);
  const { Properties: properties, ...resource } = tables[0]!;
  return { properties, replicas: properties.Replicas, resource };
}

describe('the table in the stack', () => {
  const { properties, replicas } = tableWith();

  it('is billed on demand', () => {
    expect(properties.BillingMode).toBe('PAY_PER_REQUEST');
  });

  it('has the keys pk and sk, and two indexes that contain keys only', () => {
    expect(properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
    expect(properties.GlobalSecondaryIndexes).toEqual(
      ['gsi1', 'gsi2'].map((name) => ({
        IndexName: name,
        KeySchema: [
          { AttributeName: `${name}pk`, KeyType: 'HASH' },
          { AttributeName: `${name}sk`, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    );
  });

  it('deletes items after the time in expires_at', () => {
    expect(properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at', Enabled: true });
  });

  it('streams the old and new image of each change', () => {
    expect(properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });

  it('is encrypted with a KMS key whose use is recorded in the account’s CloudTrail', () => {
    expect(properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
  });

  it('is in one region and has point-in-time recovery', () => {
    expect(replicas).toHaveLength(1);
    expect(replicas[0].PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  });
});

it('the table of a dev stack is deleted with the stack', () => {
  const { replicas, resource } = tableWith({ stage: 'dev' });
  expect(replicas[0].DeletionProtectionEnabled).toBe(false);
  expect(resource).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
});

it('the table has deletion protection in production, and remains when the stack is deleted', () => {
  const { replicas, resource } = tableWith({ stage: 'prod' });
  expect(replicas[0].DeletionProtectionEnabled).toBe(true);
  expect(resource).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
});

const ownTables = (template: Template) => template.findResources('AWS::DynamoDB::GlobalTable');

describe('a stack whose settings name a table that was restored from a backup', () => {
  const tableName = 'service-before-noon';
  const tableStreamArn = `arn:aws:dynamodb:eu-west-1:123456789012:table/${tableName}/stream/2026-11-20T12:00:00.000`;
  const restored = templateWith({ tableName, tableStreamArn });
  const arn = { 'Fn::Join': ['', expect.arrayContaining([`:table/${tableName}`])] };

  it('gives every function access to the restored table only', () => {
    for (const { Description, Environment } of serviceFunctions(restored)) {
      expect(Environment.Variables.TABLE_NAME).toBe(tableName);
      const name = Description.slice('functions/'.length, -'.ts'.length);
      const onTables = statementsOf(restored, name).filter(({ Action }) => String(Action).includes('BatchGetItem'));
      expect(onTables.map(({ Resource }) => Resource)).toEqual([arn]);
    }
  });

  it('reads the restored table’s stream, has alarms for the table, and outputs its name', () => {
    const sources = propertiesOf(restored, 'AWS::Lambda::EventSourceMapping').map((each) => each.EventSourceArn);
    const queue = { 'Fn::GetAtt': [expect.stringMatching(/^QueueWakes/), 'Arn'] };
    expect(sources).toHaveLength(3);
    expect(sources).toEqual(expect.arrayContaining([tableStreamArn, tableStreamArn, queue]));
    expect(JSON.stringify(restored.findResources('AWS::CloudWatch::Alarm'))).toContain(tableName);
    expect(restored.toJSON().Outputs.TableName.Value).toBe(tableName);
  });

  it('does not change the definition of the original table', () => {
    expect(ownTables(restored)).toEqual(ownTables(templateWith()));
  });
});

describe('copies of the table in another region', () => {
  it('do not exist by default', () => {
    expect(tableWith().replicas).toHaveLength(1);
    for (const type of ['AWS::Backup::BackupVault', 'AWS::Backup::BackupPlan', 'AWS::Backup::BackupSelection']) {
      expect(propertiesOf(templateWith(), type)).toEqual([]);
    }
  });

  it.each([
    ['dev', false],
    ['prod', true],
  ])(
    'for the stage %s are a replica with point-in-time recovery, and deletion protection: %s',
    (stage, isProtected) => {
      const { replicas } = tableWith({ stage, replicaRegion: 'eu-north-1' });
      expect(replicas).toHaveLength(2);
      expect(replicas[1]).toEqual({
        Region: 'eu-north-1',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: isProtected,
      });
    },
  );

  it('by a daily backup go to the backup vault in the settings, and are kept for 35 days', () => {
    const backupVaultArn = 'arn:aws:backup:eu-north-1:123456789012:backup-vault:copies';
    const template = templateWith({ backupVaultArn });
    const [plan] = propertiesOf(template, 'AWS::Backup::BackupPlan');
    expect(plan.BackupPlan.BackupPlanRule).toEqual([
      {
        RuleName: 'Daily',
        ScheduleExpression: 'cron(30 3 * * ? *)',
        TargetBackupVault: expect.anything(),
        Lifecycle: { DeleteAfterDays: 35 },
        CopyActions: [{ DestinationBackupVaultArn: backupVaultArn, Lifecycle: { DeleteAfterDays: 35 } }],
      },
    ]);
    const [selection] = propertiesOf(template, 'AWS::Backup::BackupSelection');
    expect(selection.BackupSelection.Resources).toEqual([{ 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'Arn'] }]);
  });
});
