import { expectTypeOf, it } from 'vitest';
import type { WebhookEvent, WebhookEventType } from '#lib/apps/client/referral-client.ts';
import type { FactData, FactRow } from '#lib/wire/outbox/fact.ts';

// The client has no dependencies, so it declares the rows again. The compiler compares them with the wire's, field by
// field.

/** As one read-only object, like the client's declaration. */
type Written<Value> = Value extends object ? { readonly [Key in keyof Value]: Written<Value[Key]> } : Value;

type Data = Written<{ [Type in WebhookEventType]: Extract<WebhookEvent, { readonly type: Type }>['data'] }>;

it('the type WebhookEvent has exactly the data that the service sends, for each type of event', () => {
  expectTypeOf<Data>().toEqualTypeOf<Written<FactData>>();
  expectTypeOf<Data['sale.recorded']['amount_cents']>().toEqualTypeOf<number>();
});

it('the type WebhookEvent has exactly the outer fields that the service sends', () => {
  expectTypeOf<keyof WebhookEvent>().toEqualTypeOf<keyof FactRow>();
});
