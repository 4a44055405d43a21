import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';

/**
 * The delay of a message, if its sender sets none. Events that happen within it are sent in one run, because each run
 * costs money.
 */
const HOLD_BACK = Duration.seconds(2);

/** How often a message is received at most. AWS advises at least five, because throttled invocations count as well. */
const MOST_RECEIVES = 5;

type Needs = Pick<DeployedFunction, 'uses'>;

/**
 * A queue of messages, each of which names a webhook endpoint with due deliveries. A lost message does no harm, because
 * the schedule sends it again every minute.
 */
export class WakeQueue extends Construct {
  readonly queue: Queue;
  /** The queue of messages for which the function failed every time. */
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

  /** The permissions of the function that receives the messages. */
  get receiving(): PolicyStatement {
    return this.#allow('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes');
  }

  /** Runs a function for each message. @param mostAtOnce maximum concurrent runs */
  feed(worker: LambdaFunction, mostAtOnce: number): void {
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: worker,
      eventSourceArn: this.queue.queueArn,
      // Each run serves one endpoint, so that a slow endpoint does not delay others.
      batchSize: 1,
      maxConcurrency: mostAtOnce,
    });
    // Lambda checks the permissions when the mapping is created, so the role's policies must exist before.
    mapping.node.addDependency(worker.role!);
  }

  #allow(...actions: string[]): PolicyStatement {
    return new PolicyStatement({ actions: actions.map((name) => `sqs:${name}`), resources: [this.queue.queueArn] });
  }
}
