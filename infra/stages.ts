import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** All that differs between stages. */
export const stages = {
  dev: { deletionProtection: false, removalPolicy: RemovalPolicy.DESTROY, logRetention: RetentionDays.ONE_WEEK },
  prod: { deletionProtection: true, removalPolicy: RemovalPolicy.RETAIN, logRetention: RetentionDays.THREE_MONTHS },
} as const;

export type StageName = keyof typeof stages;
export type Stage = (typeof stages)[StageName];

export const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);
