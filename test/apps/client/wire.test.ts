import { expectTypeOf, it } from 'vitest';
import type {
  Readiness,
  RecordedClick,
  RecordedLead,
  RecordedRefund,
  RecordedSale,
  RecordedStripeEvent,
  Warning,
} from '#lib/apps/client/referral-client.ts';
import type * as click from '#lib/wire/traffic/click.ts';
import type * as lead from '#lib/wire/conversions/lead.ts';
import type * as processor from '#lib/wire/conversions/processor.ts';
import type * as readiness from '#lib/wire/reports/readiness.ts';
import type * as refund from '#lib/wire/conversions/refund.ts';
import type { RotationWarnings } from '#lib/wire/programs/rotation.ts';
import type * as sale from '#lib/wire/conversions/sale.ts';

// The client has no dependencies, so it declares the replies again. The compiler compares them with the service's in
// both directions: the service's replies fit the client's types, and these declare nothing else.

type KeysOf<Reply> = Reply extends unknown ? keyof Reply : never;
type ValueOf<Reply, Key> = Reply extends unknown ? (Key extends keyof Reply ? Reply[Key] : undefined) : never;

/** Several replies as one: a field of only some of them is undefined in the others. */
type Merged<Reply> = { [Key in KeysOf<Reply>]: ValueOf<Reply, Key> };

/** Omits texts, which may be reworded, and warnings, which any reply may have. */
type Promised<Reply, Left extends string = never> = Merged<Omit<Reply, 'message' | 'warnings' | Left>>;
type Answered<Reply> = Merged<Reply extends unknown ? Omit<Reply, 'message'> : never>;

it('the client’s types for a click have exactly the fields of the HTTP interface', () => {
  expectTypeOf<click.RecordedClick>().toExtend<RecordedClick>();
  expectTypeOf<Promised<RecordedClick>>().toExtend<Answered<click.RecordedClick>>();
  expectTypeOf<Exclude<keyof RecordedClick, KeysOf<click.RecordedClick>>>().toEqualTypeOf<'warnings'>();
});

it('the client’s types for a lead have exactly the fields of the HTTP interface', () => {
  expectTypeOf<lead.SettledLead & { duplicate: false }>().toExtend<RecordedLead>();
  expectTypeOf<Promised<RecordedLead>>().toExtend<Answered<lead.SettledLead>>();
  expectTypeOf<Exclude<keyof RecordedLead, KeysOf<lead.SettledLead>>>().toEqualTypeOf<'duplicate' | 'warnings'>();
});

it('the client’s types for a sale have exactly the fields of the HTTP interface', () => {
  expectTypeOf<sale.RecordedSale & { duplicate: false }>().toExtend<RecordedSale>();
  expectTypeOf<Promised<RecordedSale>>().toExtend<Answered<sale.RecordedSale>>();
  expectTypeOf<Exclude<keyof RecordedSale, KeysOf<sale.RecordedSale>>>().toEqualTypeOf<'duplicate' | 'warnings'>();
});

it('the client’s types for a refund have exactly the fields of the HTTP interface', () => {
  expectTypeOf<refund.RefundReply>().toExtend<RecordedRefund>();
  expectTypeOf<Promised<RecordedRefund>>().toExtend<Answered<refund.RefundReply>>();
  expectTypeOf<Exclude<keyof RecordedRefund, KeysOf<refund.RefundReply>>>().toEqualTypeOf<'warnings'>();
});

it('the client’s types for a forwarded Stripe event have exactly the fields of the HTTP interface', () => {
  expectTypeOf<processor.ForwardedEvent>().toExtend<RecordedStripeEvent>();
  expectTypeOf<Promised<RecordedStripeEvent>>().toExtend<Answered<processor.ForwardedEvent>>();
  expectTypeOf<Exclude<keyof RecordedStripeEvent, KeysOf<processor.ForwardedEvent>>>().toEqualTypeOf<'warnings'>();
});

it('the client’s types for the readiness have the fields of the HTTP interface, but of each gate only status and next step', () => {
  expectTypeOf<readiness.Readiness>().toExtend<Readiness>();
  expectTypeOf<Promised<Readiness, 'gates'>>().toExtend<Omit<readiness.Readiness, 'gates'>>();
  expectTypeOf<keyof Readiness['gates']>().toEqualTypeOf<readiness.GateName>();
  expectTypeOf<Readiness['gates']['payout']['status']>().toEqualTypeOf<
    readiness.Readiness['gates'][readiness.GateName]['status']
  >();
  expectTypeOf<Exclude<keyof Readiness, keyof readiness.Readiness>>().toEqualTypeOf<'warnings'>();
});

it('the client’s type for a warning has the fields of the HTTP interface', () => {
  expectTypeOf<RotationWarnings[number]>().toExtend<Warning>();
  expectTypeOf<keyof Warning>().toEqualTypeOf<keyof RotationWarnings[number]>();
});
