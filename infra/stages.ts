import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** All that differs between stages. */
export const stages = {
  dev: {
    deletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetention: RetentionDays.ONE_WEEK,
    /** A new account may run ten functions at once; there is nothing to set apart. */
    publicConcurrency: undefined,
  },
  prod: {
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    logRetention: RetentionDays.THREE_MONTHS,
    /** Of the 1,000 that an account may run at once: floods of clicks and leads leave 400 to sales and webhooks. */
    publicConcurrency: 300,
  },
} as const;

export type StageName = keyof typeof stages;
export type Stage = (typeof stages)[StageName];

export const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);
