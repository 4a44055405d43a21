import { isDeepStrictEqual } from 'node:util';
import { handler as sale } from '#functions/track/sale.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { cancelled, failing } from '#test/support/table/faults.ts';
import { signedUp } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import type { Brand } from '#test/support/programs/world.ts';

export const commissionRejected = cancelled((sk) => (sk === 'COMMISSION' ? 'ValidationError' : 'None'));
export const commissionNotCreated = codedError(500, 'internal_error', 'Failed to create commission');

let names = 0;
export const fresh = (name: string): string => `${name}-${++names}`;

/**
 * Records a sale of 49.00 dollars without its commission, because the table rejects the commission's write.
 * @returns the sale's transaction id
 */
export async function failedSale(brand: Brand, body: object, at?: Date): Promise<string> {
  const id = fresh('failed');
  const request = { key: brand.key, body: { transaction_id: id, amount_cents: 4900, ...body }, at };
  const reply = await failing('write', commissionRejected, () => send(sale, request));
  if (!isDeepStrictEqual(reply.body, commissionNotCreated)) {
    throw new Error(`Expected a failed commission, got ${JSON.stringify(reply.body)}`);
  }
  return id;
}

/** Records the first sale of a new customer, without its commission. */
export async function failedFirstSale(brand: Brand) {
  const customerKey = fresh('customer');
  const clickId = await signedUp(brand, customerKey);
  return { clickId, customerKey, id: await failedSale(brand, { customer_key: customerKey }) };
}
