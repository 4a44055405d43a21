import { type Day, daysWithin } from '#lib/service/ground/values/day.ts';
import type { FactType } from '#lib/service/outbox/facts/fact.ts';
import {
  missingFields,
  nothingToChange,
  rangeReversed,
  rangeTooLong,
  webhookUrlInvalid,
} from '#lib/service/ground/values/refusals.ts';
import { ALL_EVENTS, type EndpointChange } from '#lib/service/outbox/webhooks/webhook.ts';
import { webhookAddressOf } from '#lib/service/ground/addresses/webhook-address.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import type { NewEndpoint } from '#lib/service/outbox/webhooks/change-webhooks.ts';
import {
  EndpointChangeFields,
  EndpointFields,
  EndpointUrl,
  EventFields,
  MOST_REPLAY_DAYS,
  REQUIRED_REPLAY_FIELDS,
  ReplayFields,
} from '#lib/wire/outbox/webhook-request.ts';

type Installation = Pick<Config, 'webhooks'>;

/** The fields of a new endpoint. @throws Refusal */
export function newEndpoint(json: Json, config: Installation): NewEndpoint {
  if (json.url === undefined) throw missingFields(['url']);
  const url = addressIn(json, config);
  const { events = [ALL_EVENTS], description = '' } = parseBody(EndpointFields, json);
  return { url, events, description };
}

/** Fields that may be changed. */
export const ENDPOINT_FIELDS = ['url', ...Object.keys(EndpointChangeFields.shape)];

/** The change of an endpoint; an empty change is refused. @throws Refusal */
export function endpointChange(json: Json, config: Installation): EndpointChange {
  if (ENDPOINT_FIELDS.every((field) => json[field] === undefined)) throw nothingToChange(ENDPOINT_FIELDS);
  const url = json.url === undefined ? {} : { url: addressIn(json, config) };
  const { events, description, status } = parseBody(EndpointChangeFields, json);
  return {
    ...url,
    ...(events && { events }),
    ...(description !== undefined && { description }),
    ...(status && { status }),
  };
}

function addressIn(json: Json, { webhooks }: Installation): string {
  const address = webhookAddressOf(parseBody(EndpointUrl, json).url, webhooks);
  if (address === undefined) throw webhookUrlInvalid();
  return address;
}

/** The event type for a test delivery. @throws Refusal */
export const testedEvent = (json: Json): FactType | undefined => parseBody(EventFields, json).event;

/** The first and last day of a replay. */
interface ReplayedDays {
  readonly from: Day;
  readonly to: Day;
  /** The event type to replay; absent = all types that the endpoint subscribes to. */
  readonly type?: FactType;
}

/** The days and the event type of a replay. @throws Refusal */
export function replayedDays(json: Json): ReplayedDays {
  if (REQUIRED_REPLAY_FIELDS.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_REPLAY_FIELDS);
  const { from, to, event: type } = parseBody(ReplayFields, json);
  if (from > to) throw rangeReversed();
  if (daysWithin(from, to) > MOST_REPLAY_DAYS) throw rangeTooLong(MOST_REPLAY_DAYS);
  return { from, to, type };
}
