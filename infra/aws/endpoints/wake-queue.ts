import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';

/**
 * The default delay of a message. Events that occur together are then sent in one run, because each run costs money.
 */
const HOLD_BACK = Duration.seconds(2);

/** Maximum deliveries of a message. AWS advises at least five, because throttled invocations count as well. */
const MOST_RECEIVES = 5;

type Needs = Pick<DeployedFunction, 'uses'>;

/**
 * Queue of messages that name a webhook endpoint with due deliveries. Messages may be lost: the schedule repeats them
 * every minute.
 */
export class WakeQueue extends Construct {
  readonly queue: Queue;
  /** Messages for which the function failed every time. */
  readonly failed: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secured = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.failed = new Queue(this, 'Failed', { ...secured, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, 'Wakes', {
      ...secured,
      retentionPeriod: Duration.hours(1),
      deliveryDelay: HOLD_BACK,
      // AWS's recommendation: six times the function's timeout.
      visibilityTimeout: Duration.seconds(6 * functionTimeoutSeconds.sending),
      deadLetterQueue: { queue: this.failed, maxReceiveCount: MOST_RECEIVES },
    });
  }

  environment({ uses }: Needs): Record<string, string> {
    return uses.includes('wake') ? { WEBHOOK_QUEUE_URL: this.queue.queueUrl } : {};
  }

  permissions({ uses }: Needs): PolicyStatement[] {
    return uses.includes('wake') ? [this.#allow('SendMessage')] : [];
  }

  /** Permissions for the function that receives the messages. */
  get receiving(): PolicyStatement {
    return this.#allow('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes');
  }

  /** Runs a function for each message. @param mostAtOnce maximum concurrent runs */
  feed(worker: LambdaFunction, mostAtOnce: number): void {
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: worker,
      eventSourceArn: this.queue.queueArn,
      // One endpoint per run, so that a slow endpoint does not delay another.
      batchSize: 1,
      maxConcurrency: mostAtOnce,
    });
    // The mapping must be created after the role's policies, because Lambda then checks the permissions.
    mapping.node.addDependency(worker.role!);
  }

  #allow(...actions: string[]): PolicyStatement {
    return new PolicyStatement({ actions: actions.map((name) => `sqs:${name}`), resources: [this.queue.queueArn] });
  }
}
