import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DeployedFunction } from '#infra/deployed-functions.ts';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';

/** A wake waits so long, unless it says otherwise, for what happens together to be sent in one run: it costs by the run. */
const HOLD_BACK = Duration.seconds(2);

/** How often a message is tried. AWS advises five or more, because refusals for want of concurrency count as well. */
const MOST_RECEIVES = 5;

type Needs = Pick<DeployedFunction, 'uses'>;

/** Messages that name endpoints for which something is due. None must arrive: the schedule repeats them each minute. */
export class WakeQueue extends Construct {
  readonly queue: Queue;
  /** Wakes at which the function failed each time. */
  readonly failed: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secured = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.failed = new Queue(this, 'Failed', { ...secured, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, 'Wakes', {
      ...secured,
      retentionPeriod: Duration.hours(1),
      deliveryDelay: HOLD_BACK,
      // Lambda's advice: six times the function's.
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

  /** What the function needs that gets the messages. */
  get receiving(): PolicyStatement {
    return this.#allow('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes');
  }

  /** Runs a function for each message. @param mostAtOnce how many run at the same time */
  feed(worker: LambdaFunction, mostAtOnce: number): void {
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: worker,
      eventSourceArn: this.queue.queueArn,
      // Of two endpoints in one run the slow one would delay the other.
      batchSize: 1,
      maxConcurrency: mostAtOnce,
    });
    // Lambda checks the permissions when the mapping is made.
    mapping.node.addDependency(worker.role!);
  }

  #allow(...actions: string[]): PolicyStatement {
    return new PolicyStatement({ actions: actions.map((name) => `sqs:${name}`), resources: [this.queue.queueArn] });
  }
}
