import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** What differs between stages. */
export interface Stage {
  /** Of table, users and stack. */
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
    // A rolled back creation leaves nothing behind.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    logRetention: RetentionDays.THREE_MONTHS,
  },
} as const satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;

export const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);
