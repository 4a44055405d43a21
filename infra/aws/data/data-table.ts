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
      // The key is AWS managed instead of DynamoDB's own, so that CloudTrail logs its use.
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.deletionProtection,
      removalPolicy: stage.removalPolicy,
    });
    if (replicaRegion !== undefined) this.#replicate(replicaRegion, stage);
  }

  /** The CDK itself replicates only in a stack whose own region is fixed. */
  #replicate(Region: string, { deletionProtection }: Stage): void {
    (this.node.defaultChild as CfnGlobalTable).addPropertyOverride('Replicas.1', {
      Region,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: deletionProtection,
    });
  }
}

/** A table restored from the stack's own. */
export interface RestoredTable {
  readonly tableName: string;
  readonly tableStreamArn: string;
}

/** The table that the service uses: the stack's own, unless the settings name a restored one. */
export const tableInUse = (own: DataTable, restored: RestoredTable | undefined): ITableV2 =>
  restored ? TableV2.fromTableAttributes(own, 'Restored', restored) : own;
