import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/aws/stages.ts';
import { tableDefinition } from '#lib/service/ground/config/table-definition.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The single table; its shape is defined in lib/service/ground/config/table-definition.ts. */
export class DataTable extends TableV2 {
  constructor(scope: Construct, id: string, stage: Stage, { replicaRegion }: { readonly replicaRegion?: string }) {
    const { partitionKey, sortKey, indexes, timeToLiveAttribute, streamView } = tableDefinition;
    super(scope, id, {
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      globalSecondaryIndexes: indexes.map((index) => ({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType[index.projection],
      })),
      timeToLiveAttribute,
      dynamoStream: StreamViewType[streamView],
      billing: Billing.onDemand(),
      // AWS manages this key, too. But CloudTrail logs its use, which it does not do for DynamoDB's default key.
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.deletionProtection,
      removalPolicy: stage.removalPolicy,
    });
    if (replicaRegion !== undefined) this.#replicate(replicaRegion, stage);
  }

  /**
   * Adds a replica through CloudFormation's property, because the CDK's own option needs a stack with a fixed region.
   */
  #replicate(Region: string, { deletionProtection }: Stage): void {
    (this.node.defaultChild as CfnGlobalTable).addPropertyOverride('Replicas.1', {
      Region,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: deletionProtection,
    });
  }
}

/** A table that was restored from a backup of the stack's own table. */
export interface RestoredTable {
  readonly tableName: string;
  readonly tableStreamArn: string;
}

/** The table that the service uses: the stack's own, unless the settings name a restored one. */
export const tableInUse = (own: DataTable, restored: RestoredTable | undefined): ITableV2 =>
  restored ? TableV2.fromTableAttributes(own, 'Restored', restored) : own;
