import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// Setup steps for a visitor; each throws if its request fails.

type Options = Pick<TestRequest, 'at' | 'headers'>;

async function succeeded(handler: Handler, request: TestRequest): Promise<TestReply> {
  const reply = await send(handler, request);
  if (reply.status !== 200) throw new Error(`Expected 200, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** A first click through the brand's link. @returns the new customer's click id */
export async function clicked(brand: Pick<Brand, 'affiliateUrl'>, options: Options = {}): Promise<string> {
  const { body } = await succeeded(click, { body: { affiliate_url: brand.affiliateUrl }, ...options });
  return body.click_id;
}

/** A lead with the brand's key. The customer then has the status `lead`, and its key is bound if one is sent. */
export async function settledLead(brand: Brand, body: object, options: Options = {}): Promise<void> {
  await succeeded(lead, { key: brand.key, body, ...options });
}

/** A lead without a key. It stays provisional only if the program is `server_required`. */
export async function browserLead(body: object, options: Options = {}): Promise<void> {
  await succeeded(lead, { body, ...options });
}

/** A click and its lead in server mode. @returns the click id */
export async function signedUp(brand: Brand, customerKey: string, options: Options = {}): Promise<string> {
  const clickId = await clicked(brand, options);
  await settledLead(brand, { click_id: clickId, customer_key: customerKey }, options);
  return clickId;
}

/** Another partner of the brand's program, with its own link. */
export async function anotherPartner(world: World, { program }: Brand, name: string): Promise<Omit<Brand, 'key'>> {
  const shortLink = `${name.toLowerCase()}-${program.id}`;
  const email = `${name.toLowerCase()}@partners.test`;
  const partner = await addPartner(world.deps(), program.id, { name, email, wishedLink: shortLink });
  return { program, partner, shortLink, affiliateUrl: `https://${program.domain}/?aff=${shortLink}` };
}

/** Changes link attributes for which there is no route; undefined removes an attribute. */
export const changeLink = (world: World, { shortLink }: Pick<Brand, 'shortLink'>, set: Record<string, unknown>) =>
  world.deps().table.update(keys.link(shortLink), { set });

/** The reply to a sale. */
interface Sold {
  readonly sale_id: number;
  readonly commission_id: number;
}

/** A sale with the brand's key, of 49.00 dollars by default. */
export async function sold(brand: Brand, body: object, options: Options = {}): Promise<Sold> {
  const reply = await succeeded(sale, { key: brand.key, body: { amount_cents: 4900, ...body }, ...options });
  return reply.body;
}

/** The first sale of a new customer who clicked and paid at the same time. */
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

/** Changes program attributes for which there is no route; undefined removes an attribute. */
export const changeProgram = (world: World, { program }: Pick<Brand, 'program'>, set: Record<string, unknown>) =>
  world.deps().table.update(keys.program(program.id), { set });

/** Makes a partner count as removed for sales. */
export const removePartner = (world: World, brand: Brand) =>
  changeProgram(world, brand, { removedPartnerIds: [brand.partner.id] });

/** Unlinks a customer from its partner, as the operator may: in its item and in that of its key. */
export async function unlinkPartner(world: World, brand: Brand, clickId: string, customerKey?: string): Promise<void> {
  const { table } = world.deps();
  const unlinked = { set: { partnerId: undefined } };
  await table.update(keys.customer(clickId), unlinked);
  if (customerKey !== undefined) await table.update(keys.customerKey(customerKey, brand.program.id), unlinked);
}
