import type { TestReply, TestRequest } from '#test/support/request.ts';
import { memberOf } from '#test/support/people.ts';
import type { Brand, World } from '#test/support/world.ts';

type Ask = (method: string, path: string, request?: TestRequest) => Promise<TestReply['body']>;

/** Every function of the partner portal, on each way that touches the table differently. @param owner their token */
export async function askAsPartner(ask: Ask, world: World, brand: Brand, owner: string): Promise<void> {
  const portal = '/api/partner/v1';
  const { token: key, account } = await memberOf(world, { id: brand.program.workspaceId });
  const body = { name: 'Ben', email: account.email };
  const ofBrand = `/api/dashboard/v1/programs/${brand.program.id}`;
  const { data: partner } = await ask('POST', `${ofBrand}/partners`, { key: owner, body });
  await ask('GET', `${portal}/me`, { key });
  await ask('GET', `${portal}/export`, { key });
  const payTo = (email: string) => ask('PUT', `${portal}/payout-details`, { key, body: { method: 'paypal', email } });
  await payTo('ben@people.test');
  const bonus = { amount_cents: 5_000, currency: 'USD', reason: 'Bonus' };
  await ask('POST', `${ofBrand}/partners/${partner.id}/commissions`, { key: owner, body: bonus });
  const { data: payout } = await ask('POST', `${ofBrand}/payouts`, { key: owner, body: { partner_id: partner.id } });
  await ask('GET', `${ofBrand}/payouts/${payout.id}.csv`, { key: owner });
  await payTo('benny@people.test');
  await ask('GET', `${portal}/payout-details`, { key });
  const program = `${portal}/programs/${brand.program.id}`;
  await ask('GET', program, { key });
  await askForFigures(ask, brand, owner, program);
}

/** As the partner who has sold something, whom an owner looks at. */
async function askForFigures(ask: Ask, { partner }: Brand, key: string, program: string): Promise<void> {
  const query = { as: String(partner.id) };
  const asked = { key, query };
  await ask('GET', `${program}/performance`, asked);
  for (const list of ['balance', 'codes', 'customers', 'payouts', 'commissions.csv']) {
    await ask('GET', `${program}/${list}`, asked);
  }
  const { data } = await ask('GET', `${program}/commissions`, asked);
  for (const { id } of data as { readonly id: number }[]) await ask('GET', `${program}/commissions/${id}`, asked);
}
