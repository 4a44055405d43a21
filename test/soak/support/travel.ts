import { type Brand, leadOf, refundOf, saleOf } from '#test/live/brand.ts';
import type { Call, Request } from '#test/live/caller.ts';
import type { Chance } from '#infra/local/demo/chance.ts';
import { hold } from '#test/live/hold.ts';
import type { Journey, SentSale } from '#test/soak/support/journey.ts';

/** Sends a click, a lead, and one or two sales, some of them twice and some partly refunded. */
export async function travel(call: Call, journey: Journey, chance: Chance): Promise<void> {
  const { brand } = journey;
  const click = await accepted(call, { path: '/api/v1/track/click', body: { affiliate_url: brand.affiliateUrl } });
  journey.clickId = click.click_id;
  await sendLead(call, journey);
  for (let n = 0; n < chance.between(1, 2); n++) {
    const transactionId = `${journey.customerKey}-${n}`;
    const sale: SentSale = { transactionId, amountCents: chance.between(1, 100_000) };
    journey.sales.push(sale);
    await sendSale(call, journey, sale);
    if (chance.hits(0.3)) await sendSale(call, journey, sale);
    if (sale.amountCents > 1 && chance.hits(0.4)) {
      sale.refund = { totalCents: chance.between(1, sale.amountCents - 1), isAcknowledged: false };
      await sendRefund(call, brand, sale);
    }
  }
}

export async function sendLead(call: Call, journey: Journey): Promise<void> {
  journey.lead = 'sent';
  const body = { click_id: journey.clickId, customer_key: journey.customerKey };
  const { status, text } = await call(leadOf(journey.brand, body));
  const isRecorded = text.includes('Customer status cannot be updated to lead.');
  hold(status === 200 || isRecorded, `The lead of ${journey.customerKey} answered ${status}: ${text}`);
  journey.lead = 'acknowledged';
}

/** @returns whether the sale had been recorded before */
export async function sendSale(call: Call, { brand, customerKey }: Journey, sale: SentSale): Promise<boolean> {
  const { transactionId, amountCents, acknowledged } = sale;
  const body = { transaction_id: transactionId, amount_cents: amountCents, customer_key: customerKey };
  const reply = await call(saleOf(brand, body));
  hold(
    reply.status === 409 || (reply.status === 200 && !acknowledged),
    `Sale ${transactionId}, ${acknowledged ? 'acknowledged before' : 'new'}, answered ${reply.status}: ${reply.text}`,
  );
  const saleId = reply.body.sale_id ?? reply.body.error.details.sale_id;
  hold(
    !acknowledged || acknowledged.saleId === saleId,
    `Sale ${transactionId} was ${acknowledged?.saleId} and is now ${saleId}`,
  );
  sale.acknowledged ??= { saleId, commissionId: reply.body.commission_id };
  return reply.status === 409;
}

export async function sendRefund(call: Call, brand: Brand, { transactionId, refund }: SentSale): Promise<void> {
  if (!refund) return;
  const body = { transaction_id: transactionId, refund_amount_cents: refund.totalCents };
  await accepted(call, refundOf(brand, body));
  refund.isAcknowledged = true;
}

async function accepted(call: Call, request: Request) {
  const { status, text, body } = await call(request);
  hold(status === 200, `${request.path} answered ${status}: ${text}`);
  return body;
}
