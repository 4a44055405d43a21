import { performance } from 'node:perf_hooks';
import { type Deps, type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';

/** What Lambda hands over of Amazon SQS. Only a local run, whose clock moves, names the time. */
interface QueueEvent {
  readonly Records: readonly { readonly body: string }[];
  /** ISO 8601. */
  readonly time?: string;
}

/** A Lambda function for the event source mapping of a queue. What it throws is delivered again. */
export type QueueHandler = (
  event: QueueEvent,
  context?: LambdaContext & { readonly awsRequestId?: string },
) => Promise<void>;

/** The time in which a function takes messages. */
export interface Shift {
  /** The service's time, which goes on while the function runs. */
  readonly clock: () => Date;
  readonly remainingMs: () => number;
}

/** Where nothing ends the function. */
const UNLIMITED_MS = 60_000;

/** Calls a use-case with each message. A message is old when it comes again: the time is that of the function's start. */
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
