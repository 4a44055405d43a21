import { handler as click } from '#functions/track/click.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { send } from '#test/support/callers/request.ts';
import { browserLead, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { paid } from '#test/support/payments/payers.ts';
import type { directBrand } from '#test/support/stripe/stripe.ts';
import { deliver } from '#test/support/stripe/stripe.ts';
import { allItems } from '#test/support/table/invariants.ts';
import type { World } from '#test/support/programs/world.ts';

type DirectBrand = Awaited<ReturnType<typeof directBrand>>;

/** Data that identify a person. They differ for each name. */
const person = (name: string) => ({
  visit: {
    page_url: `https://brand.test/${name}-page`,
    page_title: `${name}-title`,
    referrer_url: `https://${name}-referrer.test/`,
    session_id: `${name}-session`,
    user_agent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${name}-browser/5.0`,
    screen_resolution: `${name}-screen`,
    timezone: `${name}-zone`,
  },
  key: `${name}-key`,
  emails: [`${name}-first@people.test`, `${name}-second@people.test`],
  payer: `cus_${name}x`,
});

/**
 * Creates a customer with every kind of record: two visits, two addresses, and sales and refunds that the brand's
 * server and Stripe report.
 */
export async function livedThrough(brand: DirectBrand, name: string) {
  const { visit, key, emails, payer } = person(name);
  const first = await send(click, { body: { affiliate_url: `${brand.affiliateUrl}&who=${name}`, ...visit } });
  const clickId: string = first.body.click_id;
  await send(click, { body: { affiliate_url: brand.affiliateUrl, existing_click_id: clickId, ...visit } });
  const page = { page_url: visit.page_url, session_id: visit.session_id, click_ids: [clickId, `${name}-other`] };
  await browserLead({ click_id: clickId, customer_key: key, email: emails[0], ...page });
  await settledLead(brand, { click_id: clickId, customer_key: key, email: emails[1], event_name: `${name}-event` });
  const described = { line_items: [{ for: `${name}-item` }], event_name: `${name}-bought` };
  await sold(brand, { transaction_id: `${name}1`, customer_key: key, ...described });
  await send(refund, {
    key: brand.key,
    body: { transaction_id: `${name}1`, refund_amount_cents: 900, refund_reason: `${name} asked` },
  });
  await deliver(brand, paid(`${name}2`, { metadata: { service_customer_key: key }, customer: payer }));
  await sold(brand, { transaction_id: `${name}3`, click_id: clickId });
  return { clickId, key, transactions: [`${name}1`, `cs_${name}2`, `${name}3`] };
}

/**
 * Finds the items in the table that still contain the person's data. Payments are recognised by their transaction ids,
 * which begin with the person's name.
 */
export async function tracesOf(world: World, name: string): Promise<Record<string, unknown>[]> {
  const own = (item: object) => JSON.stringify(item).replaceAll(new RegExp(`(?:cs_)?${name}[123]`, 'g'), '');
  return (await allItems(world)).filter((item) => own(item).includes(name));
}
