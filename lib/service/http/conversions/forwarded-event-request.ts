import type { ProcessorEvent } from '#lib/service/conversions/processors/processor-event.ts';
import { eventIncomplete } from '#lib/service/ground/values/refusals.ts';
import { fields } from '#lib/service/conversions/stripe/event-fields.ts';
import { readEvent } from '#lib/service/conversions/stripe/read-event.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/**
 * An event of Stripe that the brand's server forwards. A thin event contains no object, so it says nothing about the
 * payment.
 * @throws Refusal
 */
export function forwardedEvent(json: Json): ProcessorEvent {
  const { object } = fields(json.data);
  const isWhole =
    typeof json.id === 'string' && typeof object === 'object' && object !== null && !Array.isArray(object);
  const event = isWhole ? readEvent(json) : undefined;
  if (!event) throw eventIncomplete();
  return event;
}
