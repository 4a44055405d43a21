import type { TestReply, TestRequest } from '#test/support/request.ts';
import { memberOf } from '#test/support/people.ts';
import type { Brand, World } from '#test/support/world.ts';

type Ask = (method: string, path: string, request?: TestRequest) => Promise<TestReply['body']>;

/** Every function of the partner portal, on each way that touches the table differently. @param owner their token */
export async function askAsPartner(ask: Ask, world: World, brand: Brand, owner: string): Promise<void> {
  const portal = '/api/partner/v1';
  const { token: key, account } = await memberOf(world, { id: brand.program.workspaceId });
  const body = { name: 'Ben', email: account.email };
  const program = `/api/dashboard/v1/programs/${brand.program.id}`;
  const { data: partner } = await ask('POST', `${program}/partners`, { key: owner, body });
  await ask('GET', `${portal}/me`, { key });
  await ask('GET', `${portal}/programs/${brand.program.id}`, { key });
  const payTo = (email: string) => ask('PUT', `${portal}/payout-details`, { key, body: { method: 'paypal', email } });
  await payTo('ben@people.test');
  const bonus = { amount_cents: 5_000, currency: 'USD', reason: 'Bonus' };
  await ask('POST', `${program}/partners/${partner.id}/commissions`, { key: owner, body: bonus });
  const { data: payout } = await ask('POST', `${program}/payouts`, { key: owner, body: { partner_id: partner.id } });
  await ask('GET', `${program}/payouts/${payout.id}.csv`, { key: owner });
  await payTo('benny@people.test');
  await ask('GET', `${portal}/payout-details`, { key });
}
