import { keys } from '#lib/service/ground/table/keys.ts';
import { accountPartnerWrite } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { MOST_WRITES } from '#lib/service/ground/table/writes.ts';
import { memberOf, newAddress } from '#test/support/programs/people.ts';
import { NOW, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

type Ask = (method: string, path: string, request?: TestRequest) => Promise<TestReply['body']>;

const portal = '/api/partner/v1';
const dashboard = '/api/dashboard/v1';

/** Calls every function of the partner portal, for each different use of the table. @param owner their token */
export async function askAsPartner(ask: Ask, world: World, brand: Brand, owner: string): Promise<void> {
  const program = `${dashboard}/programs/${brand.program.id}`;
  const own = `${portal}/programs/${brand.program.id}`;
  // Members can sign in without a partner invitation.
  const person = () => memberOf(world, { id: brand.program.workspaceId }, 'member', newAddress('partner'));
  const add = async (email: string, invite = false) => {
    const { data } = await ask('POST', `${program}/partners`, { key: owner, body: { name: 'Ben', email, invite } });
    return data.id as number;
  };
  const { token: key, account } = await person();
  const partnerId = await add(account.email);
  await ask('GET', `${portal}/me`, { key });
  await ask('PATCH', `${portal}/me`, { key, body: { mail: false } });
  await ask('POST', `${own}/accept`, { key, body: {} });
  await ask('GET', own, { key });
  await ask('GET', `${portal}/overview`, { key });
  await ask('GET', `${portal}/export`, { key });
  const payTo = (email: string) => ask('PUT', `${portal}/payout-details`, { key, body: { method: 'paypal', email } });
  await payTo('ben@people.test');
  const bonus = { amount_cents: 5_000, currency: 'USD', reason: 'Bonus' };
  await ask('POST', `${program}/partners/${partnerId}/commissions`, { key: owner, body: bonus });
  const { data: payout } = await ask('POST', `${program}/payouts`, { key: owner, body: { partner_id: partnerId } });
  await ask('GET', `${program}/payouts/${payout.id}.csv`, { key: owner });
  await ask('GET', `${program}/payouts/${payout.id}/files`, { key: owner });
  await ask('GET', `${program}/payouts/${payout.id}.paypal.csv`, { key: owner });
  const [paid] = payout.items;
  await ask('GET', `${program}/payouts/${payout.id}/lines/${paid.partner_id}-${paid.currency}`, { key: owner });
  // A partner in more programs than fit into one transaction.
  const many = Array.from({ length: MOST_WRITES }, (_, n) => ({ programId: 2_000_000 + n, id: partnerId }));
  await world.deps().table.transactLong(
    many.map((one) => accountPartnerWrite(account.id, one)),
    [],
  );
  await payTo('benny@people.test');
  await ask('GET', `${portal}/payout-details`, { key });
  for (const name of ['Ben', 'Ben Ltd']) await ask('PUT', `${portal}/billing`, { key, body: { name } });
  await ask('GET', `${portal}/billing`, { key });
  const statement = `statements/${payout.id}-${partnerId}-USD`;
  await ask('GET', `${program}/${statement}`, { key: owner });
  await ask('GET', `${own}/${statement}`, { key });
  await ask('GET', `${portal}/export`, { key });
  await askForFigures(ask, brand, owner, own);
  await ask('GET', own, { key: owner, query: { as: String(partnerId) } });
  // A program whose links are not counted yet has no such item.
  const { table } = world.deps();
  await table.transact([{ name: 'size', key: keys.programSize(brand.program.id), remove: true }]);
  const { data: link } = await ask('POST', `${own}/links`, { key, body: {} });
  await ask('GET', `${own}/links`, { key });
  const later = new Date(NOW.getTime() + 3_600_000);
  await ask('GET', `${own}/links`, { key: owner, query: { as: String(partnerId) }, at: later });
  const evenLater = new Date(later.getTime() + 3_600_000);
  await ask('GET', `${own}/${statement}`, { key: owner, query: { as: String(partnerId) }, at: evenLater });
  await ask('PATCH', `${own}/links/${link.short_link}`, { key, body: { status: 'inactive' } });
  await ask('PATCH', program, { key: owner, body: { partner_terms: 'Be fair.', join: 'apply' } });
  await ask('POST', `${own}/terms`, { key, body: { version: 1 } });
  for (const status of ['removed', 'active']) {
    await ask('PATCH', `${program}/partners/${partnerId}`, { key: owner, body: { status } });
  }
  // A restored partner has to accept again.
  await ask('POST', `${own}/accept`, { key, body: { terms_version: 1 } });
  await ask('POST', `${own}/leave`, { key });
  await ask('DELETE', `${portal}/payout-details`, { key });
  await ask('DELETE', `${portal}/me`, { key, body: { confirm: account.email } });
  // This person closes the account after seeing who added it, without accepting.
  const unwilling = await person();
  await add(unwilling.account.email);
  await ask('GET', `${portal}/me`, { key: unwilling.token });
  await ask('DELETE', `${portal}/me`, { key: unwilling.token, body: { confirm: unwilling.account.email } });
  // This person closes the account as a partner.
  const joined = await person();
  await add(joined.account.email, true);
  await ask('POST', `${own}/accept`, { key: joined.token, body: { terms_version: 1 } });
  await ask('POST', `${own}/links`, { key: joined.token, body: {} });
  await ask('DELETE', `${portal}/me`, { key: joined.token, body: { confirm: joined.account.email } });

  await ask('GET', `${portal}/join/${brand.program.id}`);
  const applicant = await person();
  const join = { key: applicant.token, body: { terms_version: 1 } };
  await ask('POST', `${portal}/join/${brand.program.id}`, join);
  const { id } = (await ask('GET', `${program}/partners`, { key: owner, query: { status: 'applied' } })).data[0];
  await ask('POST', `${program}/partners/${id}/reject`, { key: owner, body: { reason: 'No site' } });
  await ask('POST', `${program}/partners/${id}/invite`, { key: owner });
  await ask('POST', `${own}/accept`, join);

  const other = await person();
  await add(other.account.email, true);
  await ask('POST', `${portal}/join/${brand.program.id}`, { ...join, key: other.token });
  const declining = await person();
  await add(declining.account.email, true);
  await ask('GET', `${portal}/me`, { key: declining.token });
  await ask('POST', `${own}/decline`, { key: declining.token });
  const withdrawn = await add('withdrawn@partners.test', true);
  await ask('POST', `${program}/partners/${withdrawn}/withdraw`, { key: owner });
  const third = await person();
  await ask('POST', `${portal}/join/${brand.program.id}`, { ...join, key: third.token });
  const [waiting] = (await ask('GET', `${program}/partners`, { key: owner, query: { status: 'applied' } })).data;
  await ask('POST', `${program}/partners/${waiting.id}/accept`, { key: owner });
  await ask('PATCH', program, { key: owner, body: { partner_terms: '', join: 'closed' } });
}

/** Reads a partner's figures, and a partner's view as an owner. */
async function askForFigures(ask: Ask, { partner }: Brand, key: string, program: string): Promise<void> {
  const query = { as: String(partner.id) };
  // Each view is in a separate hour, because views are recorded once an hour.
  let hours = 0;
  const asked = (more: object = {}) => ({
    key,
    query: { ...query, ...more },
    at: new Date(NOW.getTime() + ++hours * 3_600_000),
  });
  await ask('GET', `${program}/performance`, asked());
  for (const list of ['balance', 'codes', 'customers', 'commissions.csv']) {
    await ask('GET', `${program}/${list}`, asked());
  }
  const { data } = await ask('GET', `${program}/commissions`, asked());
  for (const { id } of data as { readonly id: number }[]) await ask('GET', `${program}/commissions/${id}`, asked());
  const { data: payouts } = await ask('GET', `${program}/payouts`, asked());
  const ofPayout = () => asked({ payout_id: String(payouts[0].id) });
  await ask('GET', `${program}/payouts`, ofPayout());
  await ask('GET', `${program}/commissions`, ofPayout());
}
