import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { changeProgram, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

/** The text with which the rule `paid_ad` explains why it matched. */
export const PAID_AD = 'The first click came through an advertisement that names no campaign';

/** Sets a rule of the program that holds commissions if the click came from an advertisement. */
export const holdAds = (world: World, brand: Pick<Brand, 'program'>) =>
  changeProgram(world, brand, { rules: { paid_ad: 'hold' } });

/** Creates a customer to whom rules apply. @returns the click id */
export async function suspect(
  world: World,
  brand: Brand,
  customerKey: string,
  traits: CustomerTraits = { adCampaign: '' },
): Promise<string> {
  const clickId = await signedUp(brand, customerKey);
  const { table } = world.deps();
  for (const key of [keys.customer(clickId), keys.customerKey(customerKey, brand.program.id)]) {
    await table.update(key, { set: { traits } });
  }
  return clickId;
}

let sales = 0;

/** Creates a commission of 980 cents that a rule holds for review. */
export async function held(world: World, brand: Brand) {
  const name = `held_${++sales}`;
  const clickId = await suspect(world, brand, name);
  const { commission_id: id } = await sold(brand, { customer_key: name, transaction_id: name });
  return { id, clickId, customerKey: name, transactionId: name };
}
