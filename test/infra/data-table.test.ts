import { describe, expect, it } from 'vitest';
import { templateWith } from '#test/infra/synthesized.ts';

function tableWith(context?: Record<string, string>) {
  const tables = Object.values(templateWith(context).findResources('AWS::DynamoDB::GlobalTable'));
  expect(tables).toHaveLength(1);
  const { Properties: properties, ...resource } = tables[0]!;
  return { properties, replicas: properties.Replicas, resource };
}

describe('the table', () => {
  const { properties, replicas } = tableWith();

  it('is paid on demand', () => {
    expect(properties.BillingMode).toBe('PAY_PER_REQUEST');
  });

  it("has the store's keys and one index of keys only", () => {
    expect(properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
    expect(properties.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: 'gsi1',
        KeySchema: [
          { AttributeName: 'gsi1pk', KeyType: 'HASH' },
          { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ]);
  });

  it('expires items by expires_at', () => {
    expect(properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at', Enabled: true });
  });

  it('streams the new and the old image of each change', () => {
    expect(properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });

  it('is encrypted with a key whose use the account can see', () => {
    expect(properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
  });

  it('lives in one region and can be restored to any second', () => {
    expect(replicas).toHaveLength(1);
    expect(replicas[0].PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  });
});

it('goes with a dev stack', () => {
  const { replicas, resource } = tableWith({ stage: 'dev' });
  expect(replicas[0].DeletionProtectionEnabled).toBe(false);
  expect(resource).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
});

it('survives a prod stack and refuses to be deleted', () => {
  const { replicas, resource } = tableWith({ stage: 'prod' });
  expect(replicas[0].DeletionProtectionEnabled).toBe(true);
  expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
});
