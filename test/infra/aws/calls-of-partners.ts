import type { TestReply, TestRequest } from '#test/support/request.ts';
import { memberOf } from '#test/support/people.ts';
import type { Brand, World } from '#test/support/world.ts';

type Ask = (method: string, path: string, request?: TestRequest) => Promise<TestReply['body']>;

/** Every function of the partner portal, on each way that touches the table differently. @param owner their token */
export async function askAsPartner(ask: Ask, world: World, brand: Brand, owner: string): Promise<void> {
  const portal = '/api/partner/v1';
  const { token: key, account } = await memberOf(world, { id: brand.program.workspaceId });
  const body = { name: 'Ben', email: account.email };
  await ask('POST', `/api/dashboard/v1/programs/${brand.program.id}/partners`, { key: owner, body });
  await ask('GET', `${portal}/me`, { key });
  await ask('GET', `${portal}/programs/${brand.program.id}`, { key });
}
