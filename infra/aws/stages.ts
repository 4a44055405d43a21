import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** Settings that differ between stages. */
export interface Stage {
  /** Deletion protection of table, user pool and stack. */
  readonly deletionProtection: boolean;
  /** Removal policy of data that cannot be recreated. */
  readonly removalPolicy: RemovalPolicy;
  readonly logRetention: RetentionDays;
}

export const stages = {
  dev: {
    deletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetention: RetentionDays.ONE_WEEK,
  },
  prod: {
    deletionProtection: true,
    // With this policy, a rolled-back creation of the stack deletes everything that it created.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    logRetention: RetentionDays.THREE_MONTHS,
  },
} as const satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;

export const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);

/** CloudFormation cannot delete protected resources, not even when it rolls back a failed creation. */
export const stageOf = ({ stage: name, firstDeployment }: { stage: StageName; firstDeployment: boolean }): Stage => {
  const stage = stages[name];
  return { ...stage, deletionProtection: stage.deletionProtection && !firstDeployment };
};
