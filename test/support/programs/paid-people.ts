import { expect } from 'vitest';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import type { OwnedBrand } from '#test/support/programs/commissions.ts';
import { newAddress, type Person, signedInAs } from '#test/support/programs/people.ts';
import type { World } from '#test/support/programs/world.ts';

export interface PaidPerson extends Person {
  readonly partnerId: number;
}

/** Creates a partner who has accepted, has set payout and billing details, and has earned amounts by currency. */
export async function paidPerson(
  world: World,
  own: OwnedBrand,
  name: string,
  {
    details,
    billing,
    amounts,
  }: { readonly details?: object; readonly billing?: object; readonly amounts: Readonly<Record<string, number>> },
): Promise<PaidPerson> {
  const email = newAddress('paid');
  const { data } = (await own.owner.post(`${own.path}/partners`, { name, email })).body;
  const partnerId = data.id as number;
  const person = await signedInAs(world, email);
  await accepted(person, own.path);
  const { put } = portal(person.token);
  if (details) expect((await put('/payout-details', details, { at: NOW })).body.data).not.toBeNull();
  if (billing) expect((await put('/billing', billing, { at: NOW })).status).toBe(200);
  for (const [currency, cents] of Object.entries(amounts)) {
    await grant(own, partnerId, cents, currency);
  }
  return { ...person, partnerId };
}

export async function grant(own: OwnedBrand, partnerId: number, cents: number, currency = 'EUR'): Promise<number> {
  const body = { amount_cents: cents, currency, reason: 'Bonus' };
  const { body: reply } = await own.owner.post(`${own.path}/partners/${partnerId}/commissions`, body);
  return reply.data.id as number;
}
