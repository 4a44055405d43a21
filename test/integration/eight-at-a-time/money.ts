import { handler as sale } from '#functions/track/sale.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { codeEvent, discountedBy } from '#test/support/payments/coded-payments.ts';
import { cleoWithCode } from '#test/support/programs/codes.ts';
import { earned, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { paid, saleOf, visitor } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { openStripe } from '#test/support/stripe/stripe-stand-in.ts';
import { begin, comeBack, locationOf } from '#test/support/stripe/connecting.ts';
import { deliver, directBrand, sendDirect, stripeEvent } from '#test/support/stripe/stripe.ts';
import type { World } from '#test/support/programs/world.ts';
import { EIGHT, type EightAtATime } from '#test/integration/eight-at-a-time/case.ts';

const HOLD_IS_OVER = new Date('2026-12-20T10:00:00.000Z');

/** Creates a customer who has signed up and can buy. */
async function customerOfBrand(world: World) {
  const own = await ownedBrand(world);
  const clickId = await signedUp(own, 'buyer');
  const sell = (id: string) =>
    send(sale, { key: own.key, body: { customer_key: 'buyer', amount_cents: 4900, transaction_id: id } });
  return { own, clickId, sell };
}

async function transactionOf(world: World, id: number): Promise<string> {
  const [name] = await world.items(`COMMISSION#${id}`);
  return String(name!.sk).replace('OF#', '');
}

/** Creates a commission of 980. @returns its path for owners */
async function commissionIn(world: World) {
  const own = await ownedBrand(world);
  const [id = 0] = await earned(own, 1);
  const transactionId = await transactionOf(world, id);
  return {
    own,
    path: `${own.path}/commissions/${id}`,
    transactionId,
    left: async () => (await saleItems(world, transactionId)).commission,
  };
}

const payoutsOf = async (own: OwnedBrand) => (await own.owner.get(`${own.path}/payouts`)).body.data;

const minutesAgo = (minutes: number): string => new Date(NOW.getTime() - minutes * 60_000).toISOString();

const oneOfMany = (at: number) => `many-${at}`;

const stripe = await openStripe();

/** The actions of tracking, Stripe and payouts. */
export const moneyActs: Readonly<Record<string, EightAtATime>> = {
  'leads of a customer': {
    uses: ['record-lead'],
    answers: { 200: 1, 400: 7 },
    left: 'lead',
    open: async (world) => {
      const own = await ownedBrand(world);
      const clickId = await clicked(own);
      return {
        act: () => send(lead, { key: own.key, body: { click_id: clickId, customer_key: 'buyer' } }),
        left: async () => (await world.items(`CUSTOMER#${clickId}`)).find(({ sk }) => sk === 'CUSTOMER')?.status,
      };
    },
  },
  'sales of one transaction': {
    uses: ['record-sale'],
    answers: { 200: 1, 409: 7 },
    left: 980,
    open: async (world) => {
      const { sell } = await customerOfBrand(world);
      const name = `one-${world.tableName}`;
      return {
        act: () => sell(name),
        left: async () => (await saleItems(world, name)).commission?.amountCents,
      };
    },
  },
  'sales of one customer': {
    uses: ['record-sale'],
    answers: { 200: 8 },
    left: EIGHT.map(() => 980),
    open: async (world) => {
      const { sell } = await customerOfBrand(world);
      return {
        act: (at) => sell(oneOfMany(at)),
        left: () =>
          Promise.all(EIGHT.map(async (at) => (await saleItems(world, oneOfMany(at))).commission?.amountCents)),
      };
    },
  },
  'sales by a direct payer’s key': {
    uses: ['customer-of-key'],
    answers: { 400: 8 },
    left: minutesAgo(7),
    open: async (world) => {
      const own = await ownedBrand(world);
      const organic = { customer_key: 'organic', amount_cents: 4900 };
      return {
        act: (at) =>
          send(sale, {
            key: own.key,
            body: { ...organic, transaction_id: `organic-${at}`, occurred_at: minutesAgo(at) },
          }),
        left: async () =>
          (await world.items(`PAYER#${own.program.id}#key:${sha256('organic')}`)).map((item) => item.firstUnsoldAt)[0],
      };
    },
  },
  'partial refunds of a sale': {
    uses: ['record-refund'],
    answers: { 200: 8 },
    left: { refundedCents: 4_000, deductedCents: 800 },
    open: async (world) => {
      const { own, transactionId, left } = await commissionIn(world);
      const part = (at: number) => ({
        transaction_id: transactionId,
        refund_id: `re_${transactionId}_${at}`,
        refund_amount_cents: 500,
      });
      return {
        act: (at) => refunded(own, part(at)),
        left: async () => ({
          refundedCents: (await saleOf(world, transactionId))?.refundedCents,
          deductedCents: (await left())?.deductedCents,
        }),
      };
    },
  },
  'approvals of a commission': {
    uses: ['decide-commission'],
    answers: { 200: 8 },
    left: { status: 'approved', rows: 2 },
    open: async (world) => {
      const { own, path, left } = await commissionIn(world);
      return {
        act: () => own.owner.post(`${path}/approve`),
        left: async () => {
          const { status, history } = (await left())!;
          return { status, rows: (history as unknown[]).length };
        },
      };
    },
  },
  'bonuses for a partner': {
    uses: ['grant-commission'],
    answers: { 200: 8 },
    left: 8,
    open: async (world) => {
      const own = await ownedBrand(world);
      const bonus = { amount_cents: 5_000, currency: 'USD', reason: 'Bonus' };
      return {
        act: () => own.owner.post(`${own.path}/partners/${own.partner.id}/commissions`, bonus),
        left: async () => (await own.owner.get(`${own.path}/commissions`)).body.data.length,
      };
    },
  },
  'references of a payout': {
    uses: ['read-payouts'],
    answers: { 200: 8 },
    left: { payouts: 1, reference: true },
    open: async (world) => {
      const own = await ownedBrand(world);
      await earned(own, 2);
      const { id } = (await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_IS_OVER })).body.data;
      return {
        act: (at) => own.owner.patch(`${own.path}/payouts/${id}`, { reference: `SEPA ${at}` }),
        left: async () => {
          const payouts = await payoutsOf(own);
          return { payouts: payouts.length, reference: /^SEPA [0-7]$/.test(payouts[0].reference) };
        },
      };
    },
  },
  'ends of a payout line': {
    uses: ['change-lines', 'return-line'],
    answers: { 200: 8 },
    left: { status: 'void', commissions: ['approved', 'approved'], paid: 0 },
    open: async (world) => {
      const own = await ownedBrand(world);
      await earned(own, 2);
      const { id } = (await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_IS_OVER })).body.data;
      const lines = `${own.path}/payouts/${id}/lines`;
      const [line] = (await own.owner.get(lines, { at: HOLD_IS_OVER })).body.data;
      const ended = { ids: [line.id], status: 'void', reason: 'Wrong account' };
      return {
        act: () => own.owner.post(lines, ended, { at: HOLD_IS_OVER }),
        left: async () => {
          const [{ status }] = (await own.owner.get(lines, { at: HOLD_IS_OVER })).body.data;
          const all = (await own.owner.get(`${own.path}/commissions`, { at: HOLD_IS_OVER })).body.data;
          return {
            status,
            commissions: all.map((one: { status: string }) => one.status),
            paid: all.reduce((sum: number, one: { paid_out_cents: number }) => sum + one.paid_out_cents, 0),
          };
        },
      };
    },
  },
  'files of a payout': {
    uses: ['export-payout'],
    answers: { 200: 8 },
    left: 1,
    open: async (world) => {
      const own = await ownedBrand(world);
      await earned(own, 1);
      const { id } = (await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_IS_OVER })).body.data;
      return {
        act: () => own.owner.get(`${own.path}/payouts/${id}.csv`, { at: HOLD_IS_OVER }),
        left: async () => (await payoutsOf(own)).length,
      };
    },
  },
  'unlinkings of a customer': {
    uses: ['detach-customer'],
    answers: { 200: 8 },
    left: true,
    open: async (world) => {
      const { own, clickId } = await customerOfBrand(world);
      const path = `${own.path}/customers/${clickId}`;
      return {
        act: (at) => own.owner.post(`${path}/unlink`, { reason: `Reason ${at}` }),
        left: async () =>
          (await world.deps().table.get<{ unlinkedAt?: string }>(keys.customer(clickId)))?.unlinkedAt !== undefined,
      };
    },
  },
  'verifications of a program': {
    uses: ['run-verification-chain'],
    answers: { 200: 8 },
    left: 1,
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: () => own.owner.post(`${own.path}/verification`),
        left: async () => (await own.owner.get(`${own.path}/partners`)).body.data.length,
      };
    },
  },
  'deliveries of one Stripe event': {
    uses: ['process-event'],
    answers: { 200: 8 },
    left: 4900,
    open: async (world) => {
      const person = await visitor(world);
      const event = paid(person.id, { metadata: person.metadata });
      return {
        act: () => sendDirect(person.brand.program.id, event),
        left: async () => (await saleOf(world, `cs_${person.id}`))?.amountCents,
      };
    },
  },
  'retries of a late payment': {
    uses: ['retry-payment'],
    answers: { 200: 8 },
    left: 4900,
    open: async (world) => {
      const person = await visitor(world);
      const owner = dashboard((await ownerOfBrand(world, person.brand)).token);
      const path = `/programs/${person.brand.program.id}`;
      const { object } = paid(person.id, { metadata: person.metadata }).data;
      const at = new Date(NOW.getTime() + 80 * 86_400_000);
      const event = stripeEvent('checkout.session.completed', object, { at });
      await deliver(person.brand, event);
      await owner.patch(path, { attribution_window_days: 90 });
      return {
        act: () => owner.post(`${path}/processor/payments/${event.id}/retry`, undefined, { at }),
        left: async () => (await saleOf(world, `cs_${person.id}`))?.amountCents,
      };
    },
  },
  'reports of a code that a payment waits for': {
    uses: ['retry-waiting-payments'],
    answers: { 200: 8 },
    left: 4900,
    open: async (world) => {
      const brand = await directBrand(world, {});
      await cleoWithCode(world, brand);
      await deliver(brand, paid('waits', discountedBy('waits')));
      return {
        act: () => sendDirect(brand.program.id, codeEvent('promo_waits')),
        left: async () => (await saleOf(world, 'cs_waits'))?.amountCents,
      };
    },
  },
  'signing secrets of a program': {
    uses: ['processor-connection'],
    answers: { 200: 8 },
    left: true,
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: (at) => own.owner.put(`${own.path}/processor`, { signing_secret: `whsec_${at}` }),
        left: async () => (await world.deps().table.get(keys.program(own.program.id))) !== undefined,
      };
    },
  },
  'returns from Stripe’s pages': {
    uses: ['connect-processor'],
    answers: { 302: 8 },
    left: { places: ['connected'], programIds: 1 },
    open: async (world) => {
      const own = await ownedBrand(world);
      const accountId = `acct_${own.program.id}`;
      stripe.letIn(accountId);
      const states: string[] = [];
      for (const _ of EIGHT) states.push(await begin(own.owner, own));
      const places = new Set<string | null>();
      return {
        act: async (at) => {
          const reply = await comeBack({ state: states[at]!, code: 'ac_1' });
          places.add(new URL(locationOf(reply)!).searchParams.get('processor'));
          return reply;
        },
        left: async () => {
          const account = await world.deps().table.get<{ programIds: number[] }>(keys.processorAccount(accountId));
          return { places: [...places], programIds: account?.programIds.length };
        },
      };
    },
  },
};
