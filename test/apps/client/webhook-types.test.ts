import { expectTypeOf, it } from 'vitest';
import type { WebhookEvent, WebhookEventType } from '#lib/apps/client/referral-client.ts';
import type { FactData, FactRow } from '#lib/wire/outbox/fact.ts';

// The client depends on nothing, so it declares the rows again. The compiler holds them to the wire's, field by field.

/** In one object, and nothing of it to be changed: as the client declares it. */
type Written<Value> = Value extends object ? { readonly [Key in keyof Value]: Written<Value[Key]> } : Value;

type Data = Written<{ [Type in WebhookEventType]: Extract<WebhookEvent, { readonly type: Type }>['data'] }>;

it('each event type has its own data', () => {
  expectTypeOf<Data>().toEqualTypeOf<Written<FactData>>();
  expectTypeOf<Data['sale.recorded']['amount_cents']>().toEqualTypeOf<number>();
});

it('all event types share these fields', () => {
  expectTypeOf<keyof WebhookEvent>().toEqualTypeOf<keyof FactRow>();
});
