import { webhookBodies } from '#lib/wire/outbox/fact.ts';
import type { jsonSchemas } from '#lib/wire/document/json-schema.ts';
import type { Json } from '#lib/wire/document/written-operation.ts';

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The headers of Standard Webhooks, components of the document. */
export const webhookHeaders = {
  'webhook-id': header('webhook-id', 'Of what happened, however often it is sent: drop ids that you know.'),
  'webhook-timestamp': header('webhook-timestamp', 'Of the attempt, in unix seconds.'),
  'webhook-signature': header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; during the change of a secret several, separated by spaces.',
  ),
};

/** The replies of receivers, as components of the document. */
export const webhookReplies = {
  taken: { description: 'Taken. Answer within 15 seconds.' },
  disabled: { description: 'Do not send anything any more: the endpoint is disabled.' },
  failed: { description: 'It is sent again, for more than three days; `Retry-After` is honoured up to a day.' },
};

const parameters = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));
const replyNamed = (name: keyof typeof webhookReplies): Json => ({ $ref: `#/components/responses/${name}` });
const responses = { '2XX': replyNamed('taken'), '410': replyNamed('disabled'), default: replyNamed('failed') };

/** The deliveries to webhook endpoints, by type. */
export const writtenWebhooks = (schemas: ReturnType<typeof jsonSchemas>): Json =>
  Object.fromEntries(
    webhookBodies.map(({ type, description, body }) => [
      type,
      {
        post: {
          operationId: `webhook:${type}`,
          summary: type,
          description,
          tags: ['Dashboard: webhooks'],
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema: schemas.of(body, 'reply') } } },
          responses,
        },
      },
    ]),
  );
