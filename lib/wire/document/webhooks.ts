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

/** The headers of the Standard Webhooks specification, as components of the document. */
export const webhookHeaders = {
  'webhook-id': header(
    'webhook-id',
    'The id of the event. It is the same for each attempt: ignore ids that you have processed.',
  ),
  'webhook-timestamp': header('webhook-timestamp', 'The time of the attempt, in unix seconds.'),
  'webhook-signature': header(
    'webhook-signature',
    '`v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`. While a secret is being replaced there are several signatures, separated by spaces.',
  ),
};

/** What a receiver of webhooks replies, as a component of the document. */
export const webhookReplies = {
  taken: {
    description:
      'The receiver has accepted the event. It must reply within 15 seconds. A 410 disables the endpoint. After any other reply the delivery is repeated, for more than three days; `Retry-After` is respected up to a day.',
  },
};

const parameters = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));
const responses = { '2XX': { $ref: '#/components/responses/taken' } };

/** The requests to webhook endpoints, by event type, in the form of OpenAPI. */
export const writtenWebhooks = (schemas: ReturnType<typeof jsonSchemas>): Json =>
  Object.fromEntries(
    webhookBodies.map(({ type, description, body }) => [
      type,
      {
        post: {
          operationId: `webhook:${type}`,
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
