import { expect, it } from 'vitest';
import { cleoOf, nameClick, personOf, refundHalf, sellByCode } from '#test/support/payments/clicked-and-coded.ts';
import { HOLD_OVER } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld } from '#test/support/programs/world.ts';

openProcessor();

it('if a sale moves to another partner, it disappears for the former partner, and the new partner does not see that it moved', async () => {
  const world = await openWorld();
  const brand = await directBrand(world);
  const cleo = await cleoOf(world, brand);
  const person = await personOf(brand);
  const path = `/programs/${brand.program.id}`;
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  const [asAna, asCleo] = await Promise.all(
    [brand, cleo].map(async ({ partner }) => portal((await signedInAs(world, partner.email)).token)),
  );
  await owner.patch(`${path}/partners/${brand.partner.id}`, {
    terms: { commission_type: 'percent', commission_rate: 50 },
  });
  await sellByCode(person);
  await counted(world);
  const [{ id }] = (await asCleo!.get(`${path}/commissions`)).body.data;
  await owner.post(`${path}/commissions/${id}/approve`);
  await deliver(brand, refundHalf(person));
  await nameClick(person);
  await counted(world);

  for (const list of ['commissions', 'customers']) {
    expect((await asCleo!.get(`${path}/${list}`)).body.data).toEqual([]);
  }
  expect((await asCleo!.get(`${path}/commissions/${id}`)).status).toBe(404);
  expect((await asCleo!.get(`${path}/balance`)).body.data).toEqual({});
  expect((await asCleo!.get(`${path}/performance`)).body.data.totals).toMatchObject({ sales: 0, amounts: {} });
  const { why, ...commission } = (await asAna!.get(`${path}/commissions/${id}`, { at: HOLD_OVER })).body.data;
  expect(commission).toMatchObject({ amount_cents: 2450, payable_cents: 1225, status: 'approved' });
  expect(why.steps.map(({ text }: { text: string }) => text)).toEqual([
    `First click through your link ${brand.shortLink}`,
    'Payment of 49.00 USD',
    'Commission of 24.50 USD',
    'Reduced by 12.25 USD: the payment was refunded',
    'Approved: the hold is over',
  ]);
  expect((await asAna!.get(`${path}/balance`, { at: NOW })).body.data.USD).toMatchObject({ pending_cents: 1225 });
});
