import { NOW } from '#test/support/callers/request.ts';
import type { Recorder } from '#test/wire/recorder.ts';

const dashboard = '/api/dashboard/v1';
const cli = '/api/v1/cli';
const track = '/api/v1/track';

export interface Brand {
  readonly programId: number;
  readonly key: string;
}

export interface OwnedBrand extends Brand {
  readonly owner: string;
}

/** Requests for clicks, leads, sales and refunds, with all their replies. */
export async function sell({ ask }: Recorder, { key }: Brand): Promise<void> {
  const send = (what: string, summary: string, body: object, as = { key }) =>
    ask(summary, `POST ${track}/${what}`, { ...as, body });
  const page = { affiliate_url: 'https://acme.test/pricing?aff=ana', page_url: 'https://acme.test/pricing?aff=ana' };
  const additional_data = { test_mode: true };
  const inBrowser = {} as { key: string };

  const { click_id } = (await send('click', 'A first click', page, inBrowser)).body;
  await send('click', 'A later click', { ...page, existing_click_id: click_id }, inBrowser);
  await send('click', 'An unknown link', { affiliate_url: 'https://acme.test/?aff=nobody' }, inBrowser);
  await send('click', 'A test', { ...page, additional_data });

  const lead = { click_id, customer_key: 'user_123', email: 'jo@example.com' };
  await send('lead', 'From a browser', lead, inBrowser);
  await send('lead', 'From a server', { ...lead, event_name: 'signup' });
  await send('lead', 'A second time', lead);
  await send('lead', 'A test', { ...lead, additional_data });

  const sale = { transaction_id: 'in_1001', customer_key: 'user_123', amount_cents: 4900, currency: 'USD' };
  await send('sale', 'A first sale', sale);
  await send('sale', 'A second time', sale);
  await send('sale', 'A renewal that earns no commission', { ...sale, transaction_id: 'in_1002', is_recurring: true });
  await send('sale', 'An unknown customer', { ...sale, transaction_id: 'in_1003', customer_key: 'nobody' });
  await send('sale', 'Another currency', { ...sale, transaction_id: 'in_1003', currency: 'GBP' });
  await send('sale', 'A test', { amount_cents: 4900, additional_data });
  await send('sale', 'A sale to be rejected', { ...sale, transaction_id: 'in_1004', amount_cents: 900 });
  await send('sale', 'A sale to be taken back', { ...sale, transaction_id: 'in_1005' });
  await lateSale({ ask }, key);

  await send('refund', 'A part', { transaction_id: 'in_1001', refund_amount_cents: 2450, refund_reason: 'Too slow' });
  await send('refund', 'All of it', { transaction_id: 'in_1005' });
  await send('refund', 'A second time', { transaction_id: 'in_1005' });
  await send('refund', 'Without commission', { transaction_id: 'in_1002', reason: 'chargeback' });
  const named = { transaction_id: 'in_1004', refund_id: 'dp_1' };
  await send('refund', 'One by its id', { ...named, refund_amount_cents: 400, reason: 'chargeback' });
  await send('refund', 'With another amount', { ...named, refund_amount_cents: 500 });
  await send('refund', 'A dispute that was won', { ...named, refund_amount_cents: 0, correction: true });
  await send('refund', 'More than the sale', { ...named, refund_amount_cents: 901 });
  await send('refund', 'An unknown sale', { transaction_id: 'in_9999' });
}

/** A sale of a customer who signed up when the click was too old. */
async function lateSale({ ask }: Pick<Recorder, 'ask'>, key: string): Promise<void> {
  const body = { affiliate_url: 'https://acme.test/?aff=ana' };
  const at = new Date(NOW.getTime() - 75 * 86_400_000);
  const { click_id } = (await ask('A first click', `POST ${track}/click`, { body, at })).body;
  const sale = { transaction_id: 'in_2001', click_id, amount_cents: 4900 };
  await ask('Outside the attribution window', `POST ${track}/sale`, { key, body: sale });
}

/** The owner's reads and decisions after the sales. */
export async function report({ ask }: Recorder, { programId, owner, key }: OwnedBrand): Promise<void> {
  const program = `${dashboard}/programs/${programId}`;
  const as = { key: owner };
  await ask('After the first sales', `GET ${cli}/status`, { key });
  await ask('With its counters', `GET ${program}/partners`, as);
  await ask('With its counters', `GET ${program}/links`, as);
  await ask('Real events and tests', `GET ${program}/events?include_test=1`, as);
  await ask('Clicks of a link', `GET ${program}/events?type=click&short_link=ana&limit=1`, as);
  await ask('A wrong date', `GET ${program}/events?from=yesterday`, as);
  await ask('Two days', `GET ${program}/performance?from=2026-11-19&to=2026-11-20`, as);
  const [best] = (await ask('The best of a month', `GET ${program}/partners?from=2026-11-01&sort=commission`, as)).body
    .data;
  await ask('The best ever', `GET ${program}/links?sort=clicks`, as);
  await ask('With its counters', `GET ${program}/partners/${best.id}`, as);
  await ask('No such partner', `GET ${program}/partners/999`, as);
  const person = { name: 'Ana', email: 'ana@partners.test' };
  await ask('Name and address', `PATCH ${program}/partners/${best.id}`, { ...as, body: person });
  await ask('Of a month', `GET ${program}/links/ana?from=2026-11-01&to=2026-11-30`, as);
  await ask('No such link', `GET ${program}/links/nobody`, as);
  await ask('By the weather', `GET ${program}/links?sort=weather`, as);
  await ask('Two days', `GET ${program}/partners/${best.id}/performance?from=2026-11-19&to=2026-11-20`, as);
  await ask('No such partner', `GET ${program}/partners/999/performance`, as);
  await ask('Rules', `GET ${program}/rules`, as);
  await ask('Two days', `GET ${program}/links/ana/performance?from=2026-11-19&to=2026-11-20`, as);
  await ask('No such link', `GET ${program}/links/nobody/performance`, as);
  await ask('A sale of which a part was refunded', `GET ${program}/sales/in_1001`, as);
  await ask('The same sale', `GET ${program}/sales?transaction_id=in_1001`, as);
  await ask('By the name of a partner', `GET ${program}/search?q=an`, as);
  await ask('By the address of a customer', `GET ${program}/search?q=jo%40example.com`, as);
  const bonus = { amount_cents: 5_000, currency: 'EUR', reason: 'Bonus for the launch' };
  const grant = `POST ${program}/partners/${best.id}/commissions`;
  await ask('A bonus', grant, { ...as, body: bonus });
  await ask('Without an amount', grant, { ...as, body: { ...bonus, amount_cents: undefined } });
  const { data } = (await ask('All', `GET ${program}/commissions`, as)).body;
  await ask(
    'Of a day, in dollars',
    `GET ${program}/commissions?currency=USD&from=2026-11-20&to=2026-11-20&limit=1`,
    as,
  );
  const of = (transactionId: string) =>
    data.find((commission: { transaction_id: string }) => commission.transaction_id === transactionId).id;
  const reason = { reason: 'Bought by the partner' };
  await ask('Approved', `POST ${program}/commissions/${of('in_1001')}/approve`, as);
  const again = { ...as, body: { reason: 'Approved by mistake' } };
  await ask('Reopened', `POST ${program}/commissions/${of('in_1001')}/reopen`, again);
  await ask('Approved again', `POST ${program}/commissions/${of('in_1001')}/approve`, as);
  await ask('Rejected', `POST ${program}/commissions/${of('in_1004')}/reject`, { ...as, body: reason });
  await ask('Decided already', `POST ${program}/commissions/${of('in_1004')}/approve`, as);
  const ids = ['in_1001', 'in_1004'].map(of);
  await ask('One was rejected', `POST ${program}/commissions/approve`, { ...as, body: { ids } });
  await ask('Without ids', `POST ${program}/commissions/approve`, { ...as, body: {} });
  await ask('A short batch', `POST ${program}/commissions/approve`, { ...as, body: { ids, batch: 'one' } });
  await ask('Both were decided', `POST ${program}/commissions/reject`, { ...as, body: { ids, ...reason } });
  await ask('A refund after the rejection', `POST ${track}/refund`, { key, body: { transaction_id: 'in_1004' } });
  await ask('Refunded in full', `POST ${program}/commissions/${of('in_1004')}/reopen`, again);
  const several = { ...as, body: { ids: [of('in_1004')], ...again.body } };
  await ask('One cannot be reopened', `POST ${program}/commissions/reopen`, several);
  await ask('Without ids', `POST ${program}/commissions/reopen`, { ...as, body: {} });
  await review({ ask }, { programId, owner: as.key, key });
  await ask('Approved and waiting', `GET ${program}/owed`, as);
  await ask('Of one partner', `GET ${program}/owed?partner_id=${best.id}`, as);
  await ask('No such partner', `GET ${program}/owed?partner_id=999`, as);
  await ask('Of all partners', `POST ${program}/payouts/preview`, { ...as, body: { through: '2026-11-20' } });
  const through = { ...as, body: { through: '2026-11-20' } };
  const { id: payoutId } = (await ask('To all partners', `POST ${program}/payouts`, through)).body.data;
  await ask('Nothing left', `POST ${program}/payouts`, { ...as, body: {} });
  const reference = { reference: 'SEPA 2026-11' };
  await ask('The bank transfer', `PATCH ${program}/payouts/${payoutId}`, { ...as, body: reference });
  await ask('All', `GET ${program}/payouts`, as);
  await ask('With its commissions', `GET ${program}/payouts/${payoutId}`, as);
  await ask('It is made', `POST ${program}/payouts/${payoutId}/continue`, { ...as, body: {} });
  const lines = `${program}/payouts/${payoutId}/lines`;
  const [line] = (await ask('All', `GET ${lines}`, as)).body.data;
  await ask('By bank', `GET ${lines}?method=cash`, as);
  await ask('To one partner', `GET ${lines}/${line.id}`, as);
  await ask('No such line', `GET ${lines}/${line.id.replace(/-.*/, '')}-KWD`, as);
  await ask('What it pays', `GET ${lines}/${line.id}/commissions?limit=1`, as);
  await ask('Without payout details', `GET ${program}/payouts/${payoutId}/files`, as);
  await ask('Of one partner', `GET ${program}/statements/${line.number}`, as);
  const sent = { ids: [line.id, '999-USD'], status: 'sent', reference: 'SEPA 2026-11' };
  await ask('Sent', `POST ${lines}`, { ...as, body: sent });
  await ask('Without a reason', `POST ${lines}`, { ...as, body: { ids: [line.id], status: 'failed' } });
  await ask('All', `GET ${program}/commissions.csv`, as);
  const { click_id: clickId } = (await ask('Before its customer is unlinked', `GET ${program}/sales/in_1001`, as)).body
    .data.customer;
  await ask('All', `GET ${program}/customers`, as);
  await ask('An unknown status', `GET ${program}/customers?status=stranger`, as);
  await ask('With its clicks and its lead', `GET ${program}/customers/${clickId}`, as);
  await ask('Nobody', `GET ${program}/customers/clk_${'0'.repeat(26)}`, as);
  const correction = { ...as, body: { refund_amount_cents: 1000, refund_reason: 'Told twice' } };
  await ask('Of one sale', `POST ${program}/sales/in_1001/refund`, correction);
  await ask('Of one sale', `POST ${program}/sales/refund?transaction_id=in_1001`, correction);
  await ask('An unknown sale', `POST ${program}/sales/in_9999/refund`, correction);
  await ask('Without a reason', `POST ${program}/sales/in_1001/refund`, { ...as, body: { refund_amount_cents: 0 } });
  const unlink = `POST ${program}/customers/${clickId}/unlink`;
  await ask('Unlinked', unlink, { ...as, body: { reason: 'The lead was not of this person' } });
  await ask('Without a reason', unlink, { ...as, body: {} });
  await ask('Everything', `GET ${program}/customers/${clickId}/export`, as);
  const erase = `POST ${program}/customers/${clickId}/erase`;
  await ask('Not confirmed', erase, { ...as, body: {} });
  await ask('Begun', erase, { ...as, body: { confirm: clickId } });
}

/** Sales that a rule holds until the owner decides. */
async function review({ ask }: Pick<Recorder, 'ask'>, { programId, owner, key }: OwnedBrand): Promise<void> {
  const program = `${dashboard}/programs/${programId}`;
  const as = { key: owner };
  const rules = { paid_ad: 'hold' };
  await ask('A rule that holds', `PATCH ${program}`, { ...as, body: { rules } });
  const page = { affiliate_url: 'https://acme.test/?aff=ana&gclid=abc&utm_campaign=brand' };
  const { click_id } = (await ask('From an advertisement', `POST ${track}/click`, { body: page })).body;
  for (const transaction_id of ['in_3001', 'in_3002', 'in_3003']) {
    const body = { transaction_id, click_id, amount_cents: 4900 };
    await ask('Of a customer who came from an advertisement', `POST ${track}/sale`, { key, body });
  }
  const { data } = (await ask('Held by a rule', `GET ${program}/commissions?status=held`, as)).body;
  const [first, second, third] = data.map(({ id }: { id: number }) => id);
  await ask('Held', `POST ${program}/commissions/${first}/release`, as);
  await ask('Released already', `POST ${program}/commissions/${first}/release`, as);
  await ask('One was released', `POST ${program}/commissions/release`, { ...as, body: { ids: [first, second] } });
  await ask('Without ids', `POST ${program}/commissions/release`, { ...as, body: {} });
  const reason = 'Advertisements for our own name';
  await ask('A held one', `POST ${program}/commissions/${third}/reject`, { ...as, body: { reason } });
}
