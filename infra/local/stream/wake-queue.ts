import { badRequest } from '#lib/service/ground/values/refusals.ts';
import { jsonBody } from '#lib/service/http/messages/body.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import type { QueueHandler } from '#lib/service/http/triggers/queue-consumer.ts';
import type { Clock } from '#infra/local/run/clock.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

/** Path below the service's URL to which the SDK sends messages instead of to Amazon SQS. */
export const LOCAL_QUEUE_PATH = '/local/queue';

const CHECK_MS = 1_000;
/** How long a message waits, after the function failed, until it is delivered again. */
const RETRY_MS = 30_000;
const MOST_RECEIVES = 3;

interface Message {
  readonly body: string;
  /** Delivery time by the service's clock. */
  readonly dueMs: number;
  readonly sentMs: number;
  readonly receives: number;
}

interface QueueFunction {
  readonly handler: QueueHandler;
  readonly timeoutMs: number;
}

/**
 * Stores messages and calls the function with each of them, as Amazon SQS and Lambda do, but by the service's clock. If
 * a person sets the clock forward, messages that become due are delivered within a second.
 */
export function startWakeQueue({ handler, timeoutMs }: QueueFunction, clock: Pick<Clock, 'now'>) {
  let messages: Message[] = [];
  let isOpen = true;
  const running = new Set<Promise<void>>();

  async function call(message: Message): Promise<void> {
    const endsAt = performance.now() + timeoutMs;
    const context = { getRemainingTimeInMillis: () => (isOpen ? endsAt - performance.now() : 0) };
    const time = new Date(clock.now()).toISOString();
    try {
      await handler({ Records: [{ body: message.body }], time }, context);
    } catch (error) {
      console.error('The function of the queue threw', error);
      const now = clock.now();
      const again = { ...message, sentMs: now, dueMs: now + RETRY_MS, receives: message.receives + 1 };
      if (again.receives < MOST_RECEIVES) messages.push(again);
    }
  }

  function check(): void {
    const now = clock.now();
    // If a message was sent later than now, the clock was set back; without this case the message would wait too long.
    const isDue = ({ dueMs, sentMs }: Message): boolean => dueMs <= now || sentMs > now;
    const due = messages.filter(isDue);
    messages = messages.filter((message) => !isDue(message));
    for (const message of due) {
      const run = call(message).finally(() => running.delete(run));
      running.add(run);
    }
  }

  const timer = setInterval(check, CHECK_MS);
  const take: ServedRoute = {
    method: 'POST',
    path: LOCAL_QUEUE_PATH,
    handler: createHandler({
      middlewares: [],
      errors: { failure: 'Request failed' },
      run: ({ event, deps }) => {
        const { body, delaySeconds } = sentMessage(jsonBody(event));
        const sentMs = clock.now();
        messages.push({ body, sentMs, dueMs: sentMs + delaySeconds * 1_000, receives: 0 });
        if (isOpen) setImmediate(check);
        return { statusCode: 200, headers: {}, body: { MessageId: deps.random.requestId() } };
      },
    }),
  };
  return {
    routes: [take, { ...take, path: `${LOCAL_QUEUE_PATH}/` }] as readonly ServedRoute[],
    /** Stops after the runs in progress. */
    async stop(): Promise<void> {
      isOpen = false;
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}

/**
 * Reads the message from a request of the SDK of Amazon SQS.
 * @throws Refusal for a request in a form that the service never sends
 */
function sentMessage({ MessageBody: body, DelaySeconds: delaySeconds = 0 }: Json) {
  if (typeof body !== 'string' || typeof delaySeconds !== 'number')
    throw badRequest('This is no message of the service');
  return { body, delaySeconds };
}
