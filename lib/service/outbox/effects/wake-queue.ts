import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { withoutUnusedMiddleware } from '#lib/service/ground/effects/storage.ts';
import { timeouts } from '#lib/service/ground/effects/timeouts.ts';

/** A message that starts the sender of webhooks for an endpoint. */
export interface WakeMessage {
  readonly endpointId: number;
  readonly programId: number;
}

/** The longest delay of Amazon SQS. */
export const LONGEST_DELAY_SECONDS = 900;

/**
 * Queues a message that starts the sender of webhooks. Does nothing if no queue is configured.
 * @param delaySeconds undefined means the queue's default delay
 */
export const sendWake = (
  { once, deadline }: Pick<Deps, 'once' | 'deadline'>,
  { endpointId, programId }: WakeMessage,
  delaySeconds?: number,
): Promise<unknown> => once(sqsQueue)({ endpointId, programId }, delaySeconds, deadline);

function sqsQueue({ webhooks: { queueUrl: QueueUrl, queueEndpoint: endpoint }, region }: Config) {
  if (QueueUrl === undefined) return () => Promise.resolve();
  const client = withoutUnusedMiddleware(
    new SQSClient({
      region,
      endpoint,
      maxAttempts: 3,
      requestHandler: timeouts,
      // Checksums are not needed, because TLS protects the message.
      md5: false,
      ...(endpoint !== undefined && { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
    }),
  );
  return (
    message: WakeMessage,
    DelaySeconds: number | undefined,
    abortSignal: AbortSignal | undefined,
  ): Promise<unknown> =>
    client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message), DelaySeconds }), {
      abortSignal,
    });
}
