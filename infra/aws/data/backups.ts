import { Duration } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import type { Stage } from '#infra/aws/stages.ts';

export interface BackupsProps extends Pick<Stage, 'removalPolicy'> {
  readonly table: ITable;
  /** The vault in another region or account into which each backup is copied. */
  readonly copyVaultArn: string;
}

/** Backups are kept for as long as point-in-time recovery reaches back. */
const KEPT = Duration.days(35);

/** A backup of the table each day, and its copy outside the region or account. */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { table, copyVaultArn, removalPolicy }: BackupsProps) {
    super(scope, id);
    const destinationBackupVault = BackupVault.fromBackupVaultArn(this, 'Copies', copyVaultArn);
    const rule = new BackupPlanRule({
      ruleName: 'Daily',
      scheduleExpression: Schedule.cron({ hour: '3', minute: '30' }),
      deleteAfter: KEPT,
      copyActions: [{ destinationBackupVault, deleteAfter: KEPT }],
    });
    const plan = new BackupPlan(this, 'Plan', {
      backupVault: new BackupVault(this, 'Vault', { removalPolicy }),
      backupPlanRules: [rule],
    });
    plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(table)] });
  }
}
