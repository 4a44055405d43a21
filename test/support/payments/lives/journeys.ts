import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// Requests that prepare a visitor or customer for a test. Each function throws if its request fails.

type Options = Pick<TestRequest, 'at' | 'headers'>;

async function succeeded(handler: Handler, request: TestRequest): Promise<TestReply> {
  const reply = await send(handler, request);
  if (reply.status !== 200) throw new Error(`Expected 200, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** Sends a first click through the brand's link. @returns the click id */
export async function clicked(brand: Pick<Brand, 'affiliateUrl'>, options: Options = {}): Promise<string> {
  const { body } = await succeeded(click, { body: { affiliate_url: brand.affiliateUrl }, ...options });
  return body.click_id;
}

/**
 * Sends a lead with the brand's key. The customer then has the status `lead`. If the body contains a customer key, it
 * is bound to the customer.
 */
export async function settledLead(brand: Brand, body: object, options: Options = {}): Promise<void> {
  await succeeded(lead, { key: brand.key, body, ...options });
}

/**
 * Sends a lead without a program key, as browsers do. If the program is `server_required`, the lead stays provisional.
 */
export async function browserLead(body: object, options: Options = {}): Promise<void> {
  await succeeded(lead, { body, ...options });
}

/** Sends a click and then its lead with the brand's key. @returns the click id */
export async function signedUp(brand: Brand, customerKey: string, options: Options = {}): Promise<string> {
  const clickId = await clicked(brand, options);
  await settledLead(brand, { click_id: clickId, customer_key: customerKey }, options);
  return clickId;
}

/** Creates another partner in the brand's program, with a link. */
export async function anotherPartner(world: World, { program }: Brand, name: string): Promise<Omit<Brand, 'key'>> {
  const shortLink = `${name.toLowerCase()}-${program.id}`;
  const email = `${name.toLowerCase()}@partners.test`;
  const partner = await addPartner(world.deps(), program.id, { name, email, wishedLink: shortLink });
  return { program, partner, shortLink, affiliateUrl: `https://${program.domain}/?aff=${shortLink}` };
}

/** Changes attributes of a link that no route can change. A value of undefined removes the attribute. */
export const changeLink = (world: World, { shortLink }: Pick<Brand, 'shortLink'>, set: Record<string, unknown>) =>
  world.deps().table.update(keys.link(shortLink), { set });

/** The reply to a sale. */
interface Sold {
  readonly sale_id: number;
  readonly commission_id: number;
}

/** Sends a sale with the brand's key. Default: 49.00 dollars. */
export async function sold(brand: Brand, body: object, options: Options = {}): Promise<Sold> {
  const reply = await succeeded(sale, { key: brand.key, body: { amount_cents: 4900, ...body }, ...options });
  return reply.body;
}

/** Sends a click of a new customer, and the customer's first sale at the same time. */
export async function soldTo(
  brand: Brand,
  customerKey: string,
  body: { readonly occurred_at?: string } & Record<string, unknown>,
  options: Options = {},
): Promise<Sold> {
  const { occurred_at: paidAt } = body;
  await signedUp(brand, customerKey, paidAt === undefined ? options : { ...options, at: new Date(paidAt) });
  return sold(brand, { customer_key: customerKey, ...body }, options);
}

/** Changes attributes of a program that no route can change. A value of undefined removes the attribute. */
export const changeProgram = (world: World, { program }: Pick<Brand, 'program'>, set: Record<string, unknown>) =>
  world.deps().table.update(keys.program(program.id), { set });

/** Marks a partner as removed, so that sales treat the partner as removed. */
export const removePartner = (world: World, brand: Brand) =>
  changeProgram(world, brand, { removedPartnerIds: [brand.partner.id] });

/**
 * Removes the partner from a customer, as an operator's command does: in the customer's item and in the item of its
 * key.
 */
export async function unlinkPartner(world: World, brand: Brand, clickId: string, customerKey?: string): Promise<void> {
  const { table } = world.deps();
  const unlinked = { set: { partnerId: undefined } };
  await table.update(keys.customer(clickId), unlinked);
  if (customerKey !== undefined) await table.update(keys.customerKey(customerKey, brand.program.id), unlinked);
}
