import * as z from 'zod/mini';
import { deliveryStatuses } from '#lib/service/outbox/sending/delivery.ts';
import { FACT_DAYS, factTypes } from '#lib/service/outbox/facts/fact.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { eventNames, MOST_ENDPOINTS } from '#lib/service/outbox/webhooks/webhook.ts';
import { WebhookEventType } from '#lib/wire/outbox/fact.ts';
import { about } from '#lib/wire/words/fields.ts';
import { ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { ofProgram, ownersOnly, pageRefusals, recentSignIn } from '#lib/wire/document/dashboard-operations.ts';
import { chosen, inPath, page, programId } from '#lib/wire/words/parameters.ts';
import {
  chosenStatuses,
  DESCRIPTION_INVALID,
  EndpointChangeFields,
  EndpointUrl,
  EVENTS_INVALID,
  MOST_REPLAY_DAYS,
  ReplayFields,
  REQUIRED_REPLAY_FIELDS,
} from '#lib/wire/outbox/webhook-request.ts';
import {
  NewWebhookEndpoint,
  QueuedReplay,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookSecret,
} from '#lib/wire/outbox/webhook.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';

const family = ofProgram('webhooks');
const owners = ownersOnly(family);

const ofEndpoint = [programId, inPath('endpoint_id', 'The endpoint.')];
const unknownEndpoint = refusals.webhookNotFound();

const url = about(
  'At most 2048 characters: https, port 443 or above 1023, no credentials. Every address that its host resolves to when ' +
    'something is sent must be public. A local run also takes the hosts `127.0.0.1` and `localhost`, with http and any port.',
  EndpointUrl.shape.url,
);
const events = about(
  'Names of events, or `*` for all but `click.recorded`, which has to be named beside it.',
  z.nullish(EndpointChangeFields.shape.events),
);
const description = z.nullish(EndpointChangeFields.shape.description);
const fieldRefusals = [
  refusals.webhookUrlInvalid(),
  refusals.notOneOf('event', ANY_TEXT, eventNames),
  refusals.badRequest(EVENTS_INVALID),
  refusals.badRequest(DESCRIPTION_INVALID),
];
const anEvent = refusals.notOneOf('event', ANY_TEXT, factTypes);

export const endpointRoutes = {
  'dashboard/webhooks/get': operation(family, {
    id: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints',
    description: 'Oldest first.',
    parameters: [programId, ...page],
    ok: [listOf(WebhookEndpoint)],
    refusals: pageRefusals,
  }),
  'dashboard/webhooks/post': operation(recentSignIn(owners), {
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: `For owners. It gets what happens from now on. A program has at most ${MOST_ENDPOINTS}. Deliveries are signed as Standard Webhooks says.`,
    parameters: [programId],
    body: z.object({ url, events, description }),
    ok: [data(NewWebhookEndpoint)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(['url']),
      ...fieldRefusals,
      refusals.webhooksFull(MOST_ENDPOINTS),
    ],
  }),
  'dashboard/webhook/get': operation(family, {
    id: 'getWebhookEndpoint',
    summary: 'A webhook endpoint',
    parameters: ofEndpoint,
    ok: [data(WebhookEndpoint)],
    refusals: [unknownEndpoint],
  }),
  'dashboard/webhook/patch': operation(owners, {
    id: 'changeWebhookEndpoint',
    summary: 'Change, pause or activate a webhook endpoint',
    description: `For owners. The fields that are sent are changed; at least one. What happens while it is paused waits for ${FACT_DAYS} days. One that was disabled gets, once it is active, what happens from then on; a replay sends the rest.`,
    parameters: ofEndpoint,
    body: z.object({
      url: z.nullish(url),
      events,
      description,
      status: z.nullish(EndpointChangeFields.shape.status),
      seen,
    }),
    ok: [data(WebhookEndpoint)],
    refusals: [
      unknownEndpoint,
      ...bodyRefusals,
      refusals.nothingToChange(['url', ...Object.keys(EndpointChangeFields.shape)]),
      ...fieldRefusals,
      refusals.notOneOf('status', ANY_TEXT, chosenStatuses),
      ...seenRefusals,
    ],
  }),
  'dashboard/webhook/delete': operation(owners, {
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'For owners. What waits for it is not sent any more. The answer is the endpoint as it was.',
    parameters: ofEndpoint,
    ok: [data(WebhookEndpoint)],
    refusals: [unknownEndpoint],
  }),
  'dashboard/webhook/secret': operation(recentSignIn(owners), {
    id: 'rollWebhookSecret',
    summary: 'Replace the secret that signs deliveries',
    description:
      'For owners. The former one signs too for 24 hours, so that the receiver can change over. The five newest sign.',
    parameters: ofEndpoint,
    body: z.optional(z.object({})),
    ok: [data(WebhookSecret)],
    refusals: [unknownEndpoint, ...bodyRefusals],
  }),
  'dashboard/webhook/test': operation(family, {
    id: 'testWebhookEndpoint',
    summary: 'Send a test',
    description:
      'An `endpoint.test`, whatever the endpoint subscribes to. Its `data` holds `program_id`, `is_test: true` and, if it was sent, `event`. A paused endpoint gets it when it is active again.',
    parameters: ofEndpoint,
    body: z.object({ event: about('What is tried out.', z.nullish(WebhookEventType)) }),
    ok: [data(WebhookDelivery)],
    refusals: [unknownEndpoint, ...bodyRefusals, anEvent, refusals.webhookDisabled()],
  }),
  'dashboard/webhook/deliveries': operation(family, {
    id: 'listWebhookDeliveries',
    summary: 'List the deliveries of an endpoint',
    description: `Those of the newest events first, for ${FACT_DAYS} days. An event has one delivery, however often it is sent. A page has at most 25.`,
    parameters: [
      ...ofEndpoint,
      ...page,
      chosen('status', '`failed`: nothing is sent any more, unless it is replayed.', deliveryStatuses),
    ],
    ok: [listOf(WebhookDelivery)],
    refusals: [unknownEndpoint, ...pageRefusals, refusals.notOneOf('status', ANY_TEXT, deliveryStatuses)],
  }),
  'dashboard/webhook/replay-delivery': operation(family, {
    id: 'replayWebhookDelivery',
    summary: 'Send an event again',
    description: 'At once, with the same `webhook-id`. If that fails, it is tried again as often as a new one.',
    parameters: [...ofEndpoint, inPath('delivery_id', 'The delivery.', z.string())],
    body: z.optional(z.object({})),
    ok: [data(WebhookDelivery)],
    refusals: [
      unknownEndpoint,
      refusals.deliveryNotFound(),
      ...bodyRefusals,
      refusals.webhookDisabled(),
      refusals.eventForgotten(FACT_DAYS),
    ],
  }),
  'dashboard/webhook/replay': operation(family, {
    id: 'replayWebhookEvents',
    summary: 'Send the events of some days again',
    description: `What the endpoint subscribes to, tests excepted, with the same \`webhook-id\`; also what happened before the endpoint was created. Events are kept for ${FACT_DAYS} days. \`queued\` says how many will be sent. One replay at a time: another one has to wait until all of it was sent.`,
    parameters: ofEndpoint,
    body: z.object({
      from: about('First day, in UTC.', ReplayFields.shape.from),
      to: about(`Last day, in UTC. At most ${MOST_REPLAY_DAYS} days with the first.`, ReplayFields.shape.to),
      event: about('Of what the endpoint subscribes to, this alone.', z.nullish(WebhookEventType)),
    }),
    ok: [data(QueuedReplay)],
    refusals: [
      unknownEndpoint,
      ...bodyRefusals,
      refusals.missingFields(REQUIRED_REPLAY_FIELDS),
      refusals.dateInvalid('from'),
      refusals.dateInvalid('to'),
      anEvent,
      refusals.rangeReversed(),
      refusals.rangeTooLong(MOST_REPLAY_DAYS),
      refusals.webhookDisabled(),
      refusals.replayUnderWay(),
      refusals.tooManyToReplay(),
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;
