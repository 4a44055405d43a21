import { performance } from 'node:perf_hooks';
import { type Deps, type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';

/** The event that Lambda sends for Amazon SQS. Only a local run, whose clock can be moved, adds the time. */
interface QueueEvent {
  readonly Records: readonly { readonly body: string }[];
  /** The service's time of the call, ISO 8601. */
  readonly time?: string;
}

/** A Lambda function for the event source mapping of a queue. Messages for which it throws are delivered again. */
export type QueueHandler = (
  event: QueueEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<void>;

/** The time within which a function takes messages. */
export interface Shift {
  /** Returns the current time of the service while the function runs. */
  readonly clock: () => Date;
  readonly remainingMs: () => number;
}

/** The time limit outside Lambda, where no timeout ends the function. */
const UNLIMITED_MS = 60_000;

/** Calls an action with each message, at the time of the function's start: a repeated message is old. */
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
