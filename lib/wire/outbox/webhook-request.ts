import * as z from 'zod/mini';
import { isDay } from '#lib/service/ground/values/day.ts';
import { factTypes } from '#lib/service/outbox/facts/fact.ts';
import { dateInvalid, webhookUrlInvalid } from '#lib/service/ground/values/refusals.ts';
import { eventNames } from '#lib/service/outbox/webhooks/webhook.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { chosenFrom, longText } from '#lib/wire/words/fields-request.ts';

const LONGEST_DESCRIPTION = 200;
export const DESCRIPTION_INVALID = `description must be a string of at most ${LONGEST_DESCRIPTION} characters`;
export const EVENTS_INVALID = 'events must be a list of one or more event names, each of them once';
/** The statuses that an owner may set. Only the service sets `disabled`. */
export const chosenStatuses = ['active', 'paused'] as const;

const url = z.string(webhookUrlInvalid().message);
const events = z
  .array(chosenFrom('event', eventNames), EVENTS_INVALID)
  .check(
    z.refine(
      (sent) => sent.length > 0 && new Set(sent).size === sent.length,
      outOfBounds(EVENTS_INVALID, { minItems: 1, uniqueItems: true }),
    ),
  );
const description = longText(LONGEST_DESCRIPTION, DESCRIPTION_INVALID);

/** The fields of an endpoint other than its address. */
export const EndpointFields = z.object({
  events: z.optional(events),
  description: z.optional(description),
});

export const EndpointChangeFields = z.object({
  ...EndpointFields.shape,
  status: z.optional(chosenFrom('status', chosenStatuses)),
});

/** The URL to which deliveries are sent. The installation decides which URLs are allowed. */
export const EndpointUrl = z.object({ url });

const day = (field: string) =>
  z
    .string(dateInvalid(field).message)
    .check(z.refine(isDay, outOfBounds(dateInvalid(field).message, { pattern: String.raw`^\d{4}-\d{2}-\d{2}$` })));

export const EventFields = z.object({ event: z.optional(chosenFrom('event', factTypes)) });
export const ReplayFields = z.object({ from: day('from'), to: day('to'), ...EventFields.shape });
export const REQUIRED_REPLAY_FIELDS = ['from', 'to'] as const;
export const MOST_REPLAY_DAYS = 31;
