import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { removePartner, unlinkPartner } from '#test/support/payments/lives/journeys.ts';
import { paid, type Visitor, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import {
  charge,
  deliver,
  deliverAt,
  dispute,
  openProcessor,
  RECEIVED,
  sendDirect,
  sendPlatform,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests that the log contains the reason why an event had no effect, although the reply is 200.

// A container reads the level when it starts.
process.env.POWERTOOLS_LOG_LEVEL = 'INFO';

let logged: Record<string, unknown>[] = [];
const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
for (const write of writes) {
  write.mockImplementation((text) => {
    for (const line of String(text).split('\n')) if (line.startsWith('{')) logged.push(JSON.parse(line));
    return true;
  });
}
afterAll(() => {
  for (const write of writes) write.mockRestore();
});

openProcessor();

const world = openedWorld();
beforeEach(() => {
  logged = [];
});

const told = () =>
  logged
    .filter(({ message }) => message === 'processor_event_ignored')
    .map(({ reason, event_type: type, event_id: id, program_id: programId }) => ({ reason, type, id, programId }));

const DAY_MS = 86_400_000;
/** After the window of 60 days, and before the click expires. */
const afterWindow = new Date(NOW.getTime() + 100 * DAY_MS);

it.each<[string, (person: Visitor) => StripeEvent | Promise<StripeEvent>]>([
  ['other_type', () => stripeEvent('customer.created', {})],
  ['not_paid', ({ id }) => paid(id, { payment_status: 'unpaid' })],
  ['no_payment', ({ id }) => paid(id, { mode: 'setup' })],
  ['nothing_paid', ({ id }) => paid(id, { amount_total: 0 })],
  ['amount_too_large', ({ id, metadata }) => paid(id, { metadata, amount_total: 1_000_000_000_001 })],
  ['amount_too_large', ({ id, metadata }) => paid(id, { metadata, amount_total: 2 ** 60 })],
  ['no_id', ({ id }) => paid(id, { id: null })],
  ['invoice_without_subscription', () => stripeEvent('invoice.paid', {})],
  ['nothing_to_link', () => stripeEvent('invoice_payment.paid', {})],
  ['nothing_refunded', () => stripeEvent('charge.refunded', {})],
  ['nothing_disputed', () => stripeEvent('charge.dispute.created', {})],
  ['inquiry', ({ id }) => stripeEvent('charge.dispute.created', dispute(id, { status: 'warning_needs_response' }))],
  ['dispute_not_won', ({ id }) => stripeEvent('charge.dispute.closed', dispute(id, { status: 'lost' }))],
  [
    'no_payment_named',
    ({ id }) => stripeEvent('charge.dispute.created', dispute(id, { charge: null, payment_intent: null })),
  ],
  [
    'too_many_reversals',
    async ({ brand, id, metadata }) => {
      const disputes = Array.from({ length: 21 }, (_, n) =>
        stripeEvent('charge.dispute.created', dispute(id, { id: `dp_${id}_${n}`, amount: 1 })),
      );
      await deliver(brand, paid(id, { metadata }), ...disputes.slice(1));
      return disputes[0]!;
    },
  ],
  ['other_endpoint', () => stripeEvent('account.updated', {})],
  ['unsupported_currency', ({ id, metadata }) => paid(id, { metadata, currency: 'gbp' })],
  ['unattributed', ({ id }) => paid(id)],
  ['no_program', ({ id }) => paid(id, { metadata: { program_id: 'x' } })],
  [
    'no_partner_relation',
    async ({ brand, id, metadata }) => {
      await removePartner(world, brand);
      return paid(id, { metadata });
    },
  ],
  [
    'no_partner',
    async ({ brand, clickId, id, metadata }) => {
      await unlinkPartner(world, brand, clickId);
      return paid(id, { metadata });
    },
  ],
  [
    'sale_of_another_program',
    async ({ id, metadata }) => {
      const other = await visitor(world);
      await deliver(other.brand, paid(id, { metadata: other.metadata }));
      return paid(id, { metadata });
    },
  ],
  [
    'repeated',
    async ({ brand, id, metadata }) => {
      const event = stripeEvent('charge.refunded', charge(id));
      await deliver(brand, paid(id, { metadata }), event);
      return event;
    },
  ],
])('an ignored Stripe event is logged with the reason %s', async (reason, eventOf) => {
  const person = await visitor(world);
  const event = await eventOf(person);
  await deliver(person.brand, event);
  const { id, type } = event;
  expect(told()).toEqual([{ reason, type, id, programId: person.brand.program.id }]);
});

it('a payment outside the attribution window is logged with the reason attribution_window_expired', async () => {
  const { brand, id, metadata } = await visitor(world);
  const event = stripeEvent('checkout.session.completed', paid(id, { metadata }).data.object, { at: afterWindow });
  await deliverAt(afterWindow, brand, event);
  expect(told()).toMatchObject([{ reason: 'attribution_window_expired', id: event.id }]);
});

it.each([
  ['unknown_account', paid('nobody')],
  ['unknown_account', stripeEvent('account.application.deauthorized', {}, { account: 'acct_nobody' })],
  ['unknown_account_or_late', stripeEvent('account.updated', {}, { account: 'acct_nobody' })],
])('an ignored event at the platform’s Stripe endpoint is logged with the reason %s', async (reason, event) => {
  expect(await sendPlatform(event)).toEqual(RECEIVED);
  expect(told()).toEqual([{ reason, type: event.type, id: event.id, programId: undefined }]);
});

it('a Stripe event that was recorded is not logged', async () => {
  const { brand, id, metadata } = await visitor(world);
  await deliver(brand, paid(id, { metadata }));
  expect(logged).toEqual([]);
});

it('a Stripe event with an invalid signature is logged with its program, so that the operator can see a wrong secret', async () => {
  const { brand, id } = await visitor(world);
  await sendDirect(brand.program.id, paid(id), { secret: 'whsec_wrong' });
  expect(logged.filter(({ message }) => message === 'webhook_refused')).toEqual([
    expect.objectContaining({ level: 'WARN', program_id: brand.program.id }),
  ]);
});

it('a long text from a Stripe event is cut to 200 characters in the log', async () => {
  const { brand } = await visitor(world);
  await deliver(brand, stripeEvent('x'.repeat(900_000), {}));
  expect(told()).toMatchObject([{ reason: 'other_type', type: 'x'.repeat(200) }]);
});

it('if a Stripe payment’s transaction id belongs to another program’s sale, a warning is logged for an alarm', async () => {
  const [ours, theirs] = [await visitor(world), await visitor(world)];
  await deliver(theirs.brand, paid(ours.id, { metadata: theirs.metadata }));
  await deliver(ours.brand, paid(ours.id, { metadata: ours.metadata }));
  expect(logged.filter(({ message }) => message === 'id_used_elsewhere')).toMatchObject([
    { level: 'WARN', program_id: ours.brand.program.id },
  ]);
});
