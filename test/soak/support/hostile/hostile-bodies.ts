import * as fc from 'fast-check';
import { anyValue, oddBodies } from '#test/soak/support/hostile/hostile-values.ts';
import type { Scene } from '#test/soak/support/scene.ts';

/** Bodies: valid ones of all routes, corrupted in a few places; processor events; anything else. */
export const hostileBodies = (scene: Scene): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 12, arbitrary: spoilt(goodFields(scene), ['type', '__proto__', 'constructor']).map(bytesOf) },
    { weight: 4, arbitrary: spoiltEvents(scene).map(bytesOf) },
    { weight: 2, arbitrary: oddBodies.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 2, arbitrary: fc.constant(Buffer.alloc(0)) },
  );

const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body));

const spoilt = (good: object, moreNames: readonly string[] = []): fc.Arbitrary<object> =>
  fc
    .dictionary(fc.constantFrom(...Object.keys(good), ...moreNames), anyValue, { maxKeys: 4 })
    .map((spoils) => ({ ...good, ...spoils }));

const goodFields = ({ brand, clickId, transactionId, signingSecret }: Scene) => ({
  affiliate_url: brand.affiliateUrl,
  existing_click_id: clickId,
  click_id: clickId,
  customer_key: 'known',
  email: 'somebody@people.test',
  program_id: brand.programId,
  additional_data: {},
  transaction_id: transactionId,
  amount_cents: 100,
  currency: 'USD',
  coupon_code: 'SAVE10',
  code_precedence: 'code_first',
  provider: 'manual',
  provider_payment_id: 'pay_1',
  livemode: true,
  sale_type: 'subscription',
  is_recurring: true,
  subscription_interval: 'monthly',
  line_items: [{ sku: 'x' }],
  reason: 'refund',
  refund_amount_cents: 1,
  refund_reason: 'none',
  event_type: 'sale',
  state: 'x'.repeat(43),
  id_token: 'x.y.z',
  name: 'Name',
  domain: 'name.test',
  role: 'member',
  commission_type: 'percent',
  commission_rate: 10,
  duration_months: 12,
  attribution_window_days: 30,
  hold_period_days: 1,
  auto_approve: true,
  lead_auth: 'browser_allowed',
  allowed_origins: ['https://name.test'],
  status: 'active',
  partner_id: brand.partnerId,
  destination_url: 'https://name.test/',
  through: '2026-01-01',
  signing_secret: signingSecret,
});

const eventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'payment_intent.succeeded',
  'invoice.paid',
  'invoice_payment.paid',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'account.updated',
  'account.application.deauthorized',
  'toString',
];

/** Events with the fields of all kinds of events, corrupted. */
function spoiltEvents({ brand, clickId, now }: Scene): fc.Arbitrary<object> {
  const created = Math.floor(now / 1_000);
  const metadata = { service_click_id: clickId, service_customer_key: 'known', program_id: String(brand.programId) };
  const object = {
    id: 'obj_1',
    mode: 'payment',
    payment_status: 'paid',
    amount_total: 4900,
    amount_paid: 4900,
    amount: 4900,
    amount_refunded: 100,
    currency: 'usd',
    customer: 'cus_1',
    customer_details: { email: 'somebody@people.test' },
    metadata,
    payment_intent: 'pi_1',
    charge: 'ch_1',
    invoice: 'in_1',
    subscription: 'sub_1',
    billing_reason: 'subscription_cycle',
    parent: { subscription_details: { subscription: 'sub_1', metadata } },
    payments: { data: [{ payment: { type: 'payment_intent', payment_intent: 'pi_1' } }] },
    payment: { type: 'payment_intent', payment_intent: 'pi_1' },
    status_transitions: { paid_at: created },
    status: 'needs_response',
  };
  return fc
    .record({ type: fc.constantFrom(...eventTypes), id: fc.nat(), livemode: fc.boolean(), object: spoilt(object) })
    .map(({ type, id, livemode, object: data }) => ({
      id: `evt_${id}`,
      type,
      livemode,
      created,
      data: { object: data },
    }));
}
