import { webhookBodies } from '#lib/wire/fact.ts';
import type { jsonSchemas } from '#lib/wire/openapi/json-schema.ts';
import type { Json } from '#lib/wire/openapi/written-operation.ts';

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Of Standard Webhooks. */
const parameters = [
  header('webhook-id', 'Of what happened, however often it is sent: drop ids that you know.'),
  header('webhook-timestamp', 'Of the attempt, in unix seconds.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; during the change of a secret several, separated by spaces.',
  ),
];

const responses = {
  '2XX': { description: 'Taken. Answer within 15 seconds.' },
  '410': { description: 'Do not send anything any more: the endpoint is disabled.' },
  default: { description: 'It is sent again, for more than three days; `Retry-After` is honoured up to a day.' },
};

/** What the service sends to webhook endpoints, by type. */
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
