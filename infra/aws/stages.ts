import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** Settings that differ between stages. */
export interface Stage {
  /** Whether the table, the user pool and the stack are protected against deletion. */
  readonly deletionProtection: boolean;
  /** What happens to irreplaceable data when the stack is deleted. */
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
    // Data survive the deletion of the stack, but not the rollback of a failed creation.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    logRetention: RetentionDays.THREE_MONTHS,
  },
} as const satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;

export const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);

/**
 * The settings of a stage. A first deployment has no deletion protection, because CloudFormation could not roll back a
 * failed creation: it cannot delete protected resources.
 */
export const stageOf = ({ stage: name, firstDeployment }: { stage: StageName; firstDeployment: boolean }): Stage => {
  const stage = stages[name];
  return { ...stage, deletionProtection: stage.deletionProtection && !firstDeployment };
};
