import { performance } from 'node:perf_hooks';
import { type Deps, type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';

/**
 * The event that Lambda sends for Amazon SQS. The time is added only in a local run, because the clock of a local run
 * can be moved.
 */
interface QueueEvent {
  readonly Records: readonly { readonly body: string }[];
  /** The service's time of the call, ISO 8601. */
  readonly time?: string;
}

/**
 * A Lambda function that receives the messages of a queue. If it throws for a message, the queue delivers that message
 * again.
 */
export type QueueHandler = (
  event: QueueEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<void>;

/** How long and by which clock a function works on messages. */
export interface Shift {
  /** Returns the current time of the service while the function runs. */
  readonly clock: () => Date;
  readonly remainingMs: () => number;
}

/** The time limit outside Lambda, where no timeout ends the function. */
const UNLIMITED_MS = 60_000;

/**
 * Calls an action with each message, all at the same time. Their clock starts at the time at which the function
 * started, not at the time at which a message was sent, because a repeated message may be old.
 */
export const queueConsumer =
  <Message>(
    run: (deps: Deps, message: Message, shift: Shift) => Promise<void>,
    realNow: () => number = Date.now,
  ): QueueHandler =>
  async ({ Records, time }, context = {}) => {
    const startMs = performance.now();
    const elapsedMs = (): number => performance.now() - startMs;
    const now = new Date(time ?? realNow());
    const { getRemainingTimeInMillis: remainingMs = () => UNLIMITED_MS - elapsedMs(), awsRequestId = '' } = context;
    const clock = (): Date => new Date(now.getTime() + elapsedMs());
    const deps = requestDeps(now, awsRequestId, context);
    await Promise.all(Records.map(({ body }) => run(deps, JSON.parse(body) as Message, { clock, remainingMs })));
  };
