import { beforeAll, describe, expect, it } from 'vitest';
import { type Route, routes } from '#infra/routes.ts';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';
import { keys, factKeys } from '#lib/service/ground/table/keys.ts';
import { markSuspended } from '#lib/service/people/accounts/accounts-items.ts';
import { createGroup } from '#lib/service/programs/terms/change-agreements.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { memberOf, ownerOf, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { everyNth } from '#test/support/cases/cases.ts';
import { refusedReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// The order of the checks: 401, then 403 without workspace, then 404 of the path, then 403 of the role, then the body, then 409.

const ROOT = '/api/dashboard/v1';
/** Routes without a login token or without a workspace. */
const open = new Set(['dashboard/session/post', 'dashboard/processor/callback']);
const forAccounts = new Set([
  'dashboard/session/delete',
  'dashboard/me/get',
  'dashboard/tokens/get',
  'dashboard/tokens/delete',
  'dashboard/token/delete',
  'dashboard/workspace/post',
  'dashboard/workspace/join',
  'dashboard/workspace/decline',
]);

const dashboardRoutes = routes.filter(({ path, function: name }) => path.startsWith(ROOT) && !open.has(name));
const workspaceRoutes = dashboardRoutes.filter(({ function: name }) => !forAccounts.has(name));
const programRoutes = workspaceRoutes.filter(({ path }) => path.includes('/programs/{id}'));
const ownerRoutes = [
  'PATCH /workspace',
  'GET /workspace/payer',
  'PATCH /workspace/payer',
  'GET /workspace/audit',
  'GET /workspace/audit.csv',
  'POST /workspace/members',
  'DELETE /workspace/members/{account_id+}',
  'DELETE /workspace/members',
  'PATCH /programs/{id}/brand',
  'PUT /programs/{id}/brand/logo',
  'DELETE /programs/{id}/brand/logo',
  'POST /programs/{id}/api-key',
  'POST /programs/{id}/sales/{transaction_id}/refund',
  'POST /programs/{id}/sales/refund',
  'GET /programs/{id}/customers/{click_id}/export',
  'POST /programs/{id}/customers/{click_id}/erase',
  'POST /programs/{id}/customers/{click_id}/unlink',
  'POST /programs/{id}/partners/{partner_id}/commissions',
  'POST /programs/{id}/groups',
  'PATCH /programs/{id}/groups/{group_id}',
  'POST /programs/{id}/payouts',
  'PATCH /programs/{id}/payouts/{payout_id}',
  'POST /programs/{id}/payouts/{payout_id}/continue',
  'POST /programs/{id}/payouts/{payout_id}/lines',
  'GET /programs/{id}/payouts/{payout_id}/files',
  'GET /programs/{id}/statements/{number}',
  'PUT /programs/{id}/processor',
  'DELETE /programs/{id}/processor',
  'POST /programs/{id}/processor/connect',
  'POST /programs/{id}/webhooks',
  'PATCH /programs/{id}/webhooks/{endpoint_id}',
  'DELETE /programs/{id}/webhooks/{endpoint_id}',
  'POST /programs/{id}/webhooks/{endpoint_id}/secret',
];

const nameOf = ({ method, path }: Route) => `${method} ${path.slice(ROOT.length)}`;
const named = (rows: readonly Route[]) => rows.map((row) => [nameOf(row), row] as const);

const world = openedWorld();
let brand: Brand;
beforeAll(async () => {
  brand = await world.brand();
  // The path is checked before the role.
  const payout = {
    id: 1,
    programId: brand.program.id,
    status: 'made',
    steps: 1,
    items: [{ partnerId: 1, currency: 'USD', amountCents: 980, commissions: 1 }],
    createdAt: NOW.toISOString(),
    createdBy: 'account:1',
  };
  await world.deps().table.put(keys.payout(1), payout);
  const endpoint: WebhookEndpoint = {
    id: 1,
    url: 'https://hooks.brand.com/',
    description: '',
    events: ['*'],
    status: 'active',
    secrets: [],
    createdAt: NOW.toISOString(),
  };
  const terms = { commissionType: 'percent', commissionRate: 20, holdPeriodDays: 15 } as const;
  await soldTo(brand, 'u1', { transaction_id: '1' });
  await createGroup(world.deps(), brand.program.id, { name: 'Gold', terms });
  await world.deps().table.put(factKeys.webhooks(brand.program.id), { version: 1, endpoints: [endpoint] });
});

/** Calls a route with the parameters of its path. A body with invalid JSON shows which check comes first. */
const call = (token: string | undefined, { method, path }: Pick<Route, 'method' | 'path'>, id: unknown) =>
  dashboard(token).ask(
    method,
    path
      .slice(ROOT.length)
      .replace('{id}', String(id))
      .replace(/\{\w+\+?\}/g, '1'),
    '{',
  );

const refused = (status: number, message: string, used = 1): TestReply => refusedReply(status, message, used);

for (const [at, row] of workspaceRoutes.entries())
  describe(`the workspace route ${nameOf(row)} answers`, everyNth(4, at), () => {
    it('403 “No workspace found for this account” to a person without a workspace, whether path and body are valid or not', async () => {
      const { token } = await signedInAs(world);
      for (const [index, id] of [brand.program.id, 999_999, 'x'].entries()) {
        expect(await call(token, row, id)).toEqual(refused(403, 'No workspace found for this account', index + 1));
      }
    });
  });

for (const [at, row] of programRoutes.entries())
  describe(`the program route ${nameOf(row)} answers`, everyNth(4, at), () => {
    it('404 “Program not found” to owners and members, for a program of another workspace and for an invalid id', async () => {
      const { token, workspace } = await ownerOf(world);
      const member = await memberOf(world, workspace);
      for (const each of [token, member.token]) {
        for (const id of [brand.program.id, 999_999, 0, -1, 1.5, 'x', '1e0', '9'.repeat(30)]) {
          expect((await call(each, row, id)).body).toEqual(platformError(404, 'Program not found'));
        }
      }
    });
  });

const isOwnerRoute = (row: Route) => ownerRoutes.includes(nameOf(row));

describe('the reply 403 “Only a workspace owner can do this”', () => {
  it.each(named(workspaceRoutes.filter(isOwnerRoute)))(
    'is sent to a member who is no owner for %s, before the body is checked',
    async (_, row) => {
      const { workspace } = await ownerOfBrand(world, brand);
      const { token, account } = await memberOf(world, workspace);
      const path = row.path
        .replace('{account_id+}', String(account.id))
        .replace('{click_id}', await clicked(brand))
        .replace('{number}', '1-1-USD')
        .replace(/members$/, `$&?account_id=${account.id}`)
        .replace(/sales\/refund$/, '$&?transaction_id=1');
      expect(await call(token, { ...row, path }, brand.program.id)).toEqual(
        refused(403, 'Only a workspace owner can do this'),
      );
    },
  );

  it('is tested for every route that only owners may call', () => {
    expect(workspaceRoutes.filter(isOwnerRoute).map(nameOf).toSorted()).toEqual(ownerRoutes.toSorted());
  });

  it.each(named(workspaceRoutes.filter((row) => !isOwnerRoute(row))))(
    'is not sent to a member who is no owner for %s',
    async (_, row) => {
      const { workspace } = await ownerOfBrand(world, brand);
      const { token } = await memberOf(world, workspace);
      expect((await call(token, row, brand.program.id)).status).not.toBe(403);
    },
  );
});

describe('access to the routes of a workspace', () => {
  it('ends for a member on every route when an owner removes the member', async () => {
    const owner = await ownerOf(world);
    const user = dashboard(owner.token);
    const settings = { name: 'Own', domain: 'own.test', commission_type: 'fixed', commission_rate: 1 };
    const { body } = await user.post('/programs', settings);
    const member = await memberOf(world, owner.workspace);
    expect((await dashboard(member.token).get(`/programs/${body.data.id}`)).status).toBe(200);
    await user.delete(`/workspace/members/${member.account.id}`);
    const answers = await Promise.all(workspaceRoutes.map((row) => call(member.token, row, body.data.id)));
    expect(new Set(answers.map((reply) => reply.body.error.message))).toEqual(
      new Set(['No workspace found for this account']),
    );
  });

  it('ends for an account on every route when the account is suspended or deleted', async () => {
    const { token, account } = await ownerOf(world);
    // The suspension comes first, then the revocation of the tokens.
    await markSuspended(world.deps().table, account.id, NOW.toISOString());
    expect(await dashboard(token).get('/workspace')).toEqual(refused(401, 'Invalid or expired token'));
    const other = await ownerOf(world);
    const { table } = world.deps();
    await table.transact([{ name: 'account', key: keys.account(other.account.id), remove: true }]);
    expect(await dashboard(other.token).get('/workspace')).toEqual(refused(401, 'User not found'));
  });
});

const program = () => `/programs/${brand.program.id}`;

const partner = () => `${program()}/partners/${brand.partner.id}`;
const link = () => `${program()}/links/${brand.shortLink}`;

describe('a dashboard request with two errors reports', () => {
  const noJson = 'Invalid JSON body';
  type Ask = (user: ReturnType<typeof dashboard>) => Promise<TestReply>;
  const rows: [string, Ask, string][] = [
    [
      'an unknown partner before an invalid body',
      (user) => user.patch(`${program()}/partners/9`, '{'),
      'Partner not found',
    ],
    ['an unknown link before an invalid body', (user) => user.patch(`${program()}/links/none`, '{'), 'Link not found'],
    [
      'an unknown member before the check for the last owner',
      (user) => user.delete('/workspace/members/9'),
      'Member not found',
    ],
    ['invalid JSON for a program', (user) => user.patch(program(), '{'), noJson],
    ['invalid JSON for a partner', (user) => user.patch(partner(), '['), noJson],
    ['invalid JSON for a link', (user) => user.patch(link(), '7'), noJson],
    ['invalid JSON for a new program', (user) => user.post('/programs', 'null'), noJson],
    ['invalid JSON for a new link', (user) => user.post(`${program()}/links`, '"x"'), noJson],
    [
      'an invalid field before a conflict with the stored state',
      (user) => user.post(`${program()}/partners`, { name: '', email: brand.partner.email }),
      'name must be a string of 1 to 120 characters',
    ],
  ];
  it.each(rows)('%s', async (_, ask, message) => {
    const { token } = await ownerOfBrand(world, brand);
    expect((await ask(dashboard(token))).body.error.message).toBe(message);
  });
});
