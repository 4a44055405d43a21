import { expect, it } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { removePartner } from '#test/support/payments/lives/journeys.ts';
import { paid, visitor } from '#test/support/payments/payers.ts';
import { deliver, openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld } from '#test/support/programs/world.ts';

openProcessor();

it('an erasure deletes the customer’s payments that became no sale, and keeps those of other customers', async () => {
  const world = await openWorld();
  const { brand, clickId, id, metadata } = await visitor(world);
  const theirs = paid(id, { metadata });
  const another = paid(`${id}b`, { metadata: { service_click_id: 'clk_nobody' } });
  await removePartner(world, brand);
  await deliver(brand, theirs, another);
  const noted = (eventId: string) => world.items(keys.unattributedPayment(brand.program.id, sha256(eventId)).pk);
  expect(await noted(theirs.id)).toMatchObject([{ kept: { clickId } }]);
  await eraseCustomer(world.deps(), { programId: brand.program.id, clickId }, async () => undefined);
  expect(JSON.stringify(await noted(theirs.id))).not.toContain(clickId);
  expect(await noted(theirs.id)).toMatchObject([{ transactionId: `cs_${id}`, reason: 'no_partner_relation' }]);
  expect(await noted(another.id)).toMatchObject([{ kept: { payer: { clickId: 'clk_nobody' } } }]);
});
