import * as z from 'zod/mini';
import { deliveryStatuses } from '#lib/service/outbox/sending/delivery.ts';
import { FACT_DAYS, factTypes } from '#lib/service/outbox/facts/fact.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { eventNames, MOST_ENDPOINTS } from '#lib/service/outbox/webhooks/webhook.ts';
import { WebhookEventType } from '#lib/wire/outbox/fact.ts';
import { about, named } from '#lib/wire/words/fields.ts';
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
  'At most 2048 characters: https, port 443 or above 1023, no credentials. Every address to which its host resolves at the time of sending must be public. A local run also accepts the hosts `127.0.0.1` and `localhost`, with http and any port.',
  EndpointUrl.shape.url,
);
const events = z.nullish(
  named(
    'Subscription',
    EndpointChangeFields.shape.events,
    'Names of events, or `*` for all events except `click.recorded`, which must be listed in addition.',
  ),
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
    description: `For owners. The endpoint receives events from now on. A program has at most ${MOST_ENDPOINTS} endpoints. Deliveries are signed according to Standard Webhooks.`,
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
    summary: 'Read a webhook endpoint',
    parameters: ofEndpoint,
    ok: [data(WebhookEndpoint)],
    refusals: [unknownEndpoint],
  }),
  'dashboard/webhook/patch': operation(owners, {
    id: 'changeWebhookEndpoint',
    summary: 'Change, pause or activate a webhook endpoint',
    description: `For owners. Send at least one field; only the fields sent are changed. Events during a pause are kept for ${FACT_DAYS} days and sent afterwards. An endpoint that was disabled receives events from its activation on; a replay sends the earlier ones.`,
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
    description: 'For owners. Waiting deliveries are not sent any more. The reply contains the endpoint as it was.',
    parameters: ofEndpoint,
    ok: [data(WebhookEndpoint)],
    refusals: [unknownEndpoint],
  }),
  'dashboard/webhook/secret': operation(recentSignIn(owners), {
    id: 'rollWebhookSecret',
    summary: 'Replace the secret that signs deliveries',
    description:
      'For owners. Deliveries are signed with the former secret too for 24 hours, so that you can update the receiver. At most the five newest secrets sign.',
    parameters: ofEndpoint,
    body: z.optional(z.object({})),
    ok: [data(WebhookSecret)],
    refusals: [unknownEndpoint, ...bodyRefusals],
  }),
  'dashboard/webhook/test': operation(family, {
    id: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description:
      'Sends an `endpoint.test`, whichever events the endpoint subscribes to. Its `data` contains `program_id`, `is_test: true` and, if you sent it, `event`. A paused endpoint receives it when it is active again.',
    parameters: ofEndpoint,
    body: z.object({ event: about('The type of event that the test stands for.', z.nullish(WebhookEventType)) }),
    ok: [data(WebhookDelivery)],
    refusals: [unknownEndpoint, ...bodyRefusals, anEvent, refusals.webhookDisabled()],
  }),
  'dashboard/webhook/deliveries': operation(family, {
    id: 'listWebhookDeliveries',
    summary: 'List the deliveries of an endpoint',
    description: `Deliveries of the newest events first, for ${FACT_DAYS} days. An event has one delivery, which lists its attempts. A page has at most 25 rows.`,
    parameters: [
      ...ofEndpoint,
      ...page,
      chosen('status', '`failed`: the delivery is not attempted any more unless it is replayed.', deliveryStatuses),
    ],
    ok: [listOf(WebhookDelivery)],
    refusals: [unknownEndpoint, ...pageRefusals, refusals.notOneOf('status', ANY_TEXT, deliveryStatuses)],
  }),
  'dashboard/webhook/replay-delivery': operation(family, {
    id: 'replayWebhookDelivery',
    summary: 'Send an event again',
    description:
      'Sends the event at once, with the same `webhook-id`. If that fails, it is repeated as often as a new event.',
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
    summary: 'Send the events of several days again',
    description: `Sends all events to which the endpoint subscribes, except tests, with the same \`webhook-id\`, including events before the endpoint was created. Events are kept for ${FACT_DAYS} days. \`queued\` is the number of events that will be sent. Only one replay can be in progress.`,
    parameters: ofEndpoint,
    body: z.object({
      from: about('The first day, in UTC.', ReplayFields.shape.from),
      to: about(`The last day, in UTC, at most ${MOST_REPLAY_DAYS} days including the first.`, ReplayFields.shape.to),
      event: about('Only this type of the events to which the endpoint subscribes.', z.nullish(WebhookEventType)),
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
