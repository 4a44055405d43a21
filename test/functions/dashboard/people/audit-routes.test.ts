import { beforeAll, describe, expect, it } from 'vitest';
import { functionRoutes } from '#infra/local/gateway/function-routes.ts';
import { matchRoute } from '#infra/local/gateway/served-route.ts';
import { routes as rows } from '#infra/routes.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { earned, HOLD_OVER, ownedBrand } from '#test/support/programs/commissions.ts';
import { begin } from '#test/support/stripe/connecting.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { handlerOf, loadedFunction } from '#test/support/servers/functions.ts';
import { held, holdAds } from '#test/support/payments/held.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { paid } from '#test/support/payments/payers.ts';
import { png } from '#test/support/programs/images.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { send } from '#test/support/callers/request.ts';
import { deliver, openProcessor } from '#test/support/stripe/stripe.ts';
import { openStripe } from '#test/support/stripe/stripe-stand-in.ts';
import { endpointOf, factOf, WEBHOOK_URL } from '#test/support/outbox/webhooks.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests that every route that changes something writes an audit row in the workspace, unless a reason is listed here.

/** Changes that belong to no workspace, with the reason. */
const unlisted: Readonly<Record<string, string>> = {
  'track/click': 'an event',
  'track/lead': 'an event',
  'track/sale': 'an event',
  'track/refund': 'an event',
  'track/stripe': 'an event',
  'webhooks/stripe/platform': 'an event',
  'webhooks/stripe/program': 'an event',
  'mail/unsubscribe/post': 'concerns the holder of the link, in whichever workspace',
  'mail/block/post': 'concerns the holder of the link; the workspace is not to know',
  'cli/auth/start': 'an account’s own sign-in',
  'cli/auth/callback': 'an account’s own sign-in',
  'dashboard/session/post': 'an account’s own sign-in',
  'dashboard/session/delete': 'an account’s own sign-in',
  'dashboard/tokens/delete': 'an account’s own sign-in',
  'dashboard/token/delete': 'an account’s own sign-in',
  'cli/test-event': 'test rows, which count nowhere',
  'dashboard/verification/post': 'test rows, which count nowhere',
  'dashboard/payout/continue': 'goes on with what is in the list since it began',
  'dashboard/payouts/preview': 'changes nothing',
  'dashboard/terms/preview': 'changes nothing',
  'dashboard/processor/connect': 'changes nothing: the way back from there connects',
  'cli/payment-connect': 'changes nothing: it is retired',
  'partner/me/patch': 'an account’s own choice, in no workspace',
};

openProcessor();
const stripe = await openStripe();
const { routes } = functionRoutes(loadedFunction);

const world = openedWorld();

/** A workspace with something to change for every route, and the requests. */
async function scene() {
  const own = await ownedBrand(world);
  const { owner, path } = own;
  const [toApprove, toReject, ...several] = await earned(own, 4);
  const groups = { name: 'Creators', terms: { commission_type: 'percent', commission_rate: 30 } };
  await owner.post(`${path}/groups`, groups);
  await owner.post(`${path}/codes`, { partner_id: own.partner.id, code: 'SAVE' });
  const unsold = paid(`unsold_${own.program.id}`, { metadata: { service_click_id: await clicked(own) } });
  const endpoint = await endpointOf(own);
  const partnerPath = `${path}/partners/${own.partner.id}`;
  await owner.patch(partnerPath, { status: 'removed' });
  await owner.put(`${path}/processor`, { signing_secret: 'whsec_brand' });
  await deliver(own, unsold);
  await owner.patch(partnerPath, { status: 'active' });
  const [invited, declining, removed] = [newAddress(), newAddress(), newAddress()];
  for (const email of [invited, declining, removed]) await owner.post('/workspace/members', { email, role: 'member' });
  const bodyOfInvited = { workspace_id: own.program.workspaceId };
  const joining = await signedInAs(world, invited);
  const declined = await signedInAs(world, declining);
  const founder = await signedInAs(world);
  const partner = await signedInAs(world, own.partner.email);
  const agentKey = await agentKeyOf(world, own);
  const key = (await signedInAs(world, `owner@${own.program.domain}`)).token;
  const terms = { name: 'New', domain: 'new.test', commission_type: 'percent', commission_rate: 10 };
  await earned(own, 1);
  return {
    own,
    key,
    toApprove,
    toReject,
    several,
    unsold,
    endpoint,
    removed,
    joining,
    declined,
    founder,
    partner,
    agentKey,
    terms,
    partnerPath,
    bodyOfInvited,
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

interface Change {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The caller, if it is not the owner. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly at?: Date;
  readonly isBase64Encoded?: boolean;
}

/** The action of the audit row, the request, and the actions of further rows. */
type Listed = readonly [action: string, change: (scene: Scene) => Change | Promise<Change>, more?: readonly string[]];

const ROOT = '/api/dashboard/v1';
const post = (path: string, body?: unknown): Change => ({ method: 'POST', path: ROOT + path, body });
const patch = (path: string, body: unknown): Change => ({ method: 'PATCH', path: ROOT + path, body });
const remove = (path: string): Change => ({ method: 'DELETE', path: ROOT + path });

/** A person who has applied to the scene's program. */
async function applicantOf({ own }: Scene) {
  const person = await signedInAs(world);
  await own.owner.patch(own.path, { join: 'apply', partner_terms: '' });
  await portal(person.token).post(`/join/${own.program.id}`, {});
  const items = await world.items(`ACCOUNT#${person.account.id}`);
  const partnerId = items.find(({ sk }) => sk === `PARTNER#${own.program.id}`)?.partnerId;
  return { ...person, path: `${own.path}/partners/${String(partnerId)}` };
}

/** A person added by the brand. */
async function partnerOf({ own }: Scene, more: { readonly invite?: true } = {}) {
  const email = newAddress();
  await own.owner.post(`${own.path}/partners`, { name: 'Ben', email, ...more });
  const person = await signedInAs(world, email);
  if (!more.invite) await accepted(person, own.path);
  return person;
}

const asPartner = (method: string, path: string, key: string, body: unknown = {}): Change => ({
  method,
  path: `/api/partner/v1${path}`,
  body,
  key,
});

/** All audited routes, in the order in which the test calls them. */
const listed: Readonly<Record<string, Listed>> = {
  'dashboard/workspace/post': [
    'workspace.created',
    ({ founder }) => ({ ...post('/workspace', { name: 'Mine' }), key: founder.token }),
  ],
  'dashboard/members/post': [
    'member.invited',
    () => post('/workspace/members', { email: newAddress(), role: 'member' }),
  ],
  'dashboard/member/delete': ['member.removed', ({ removed }) => remove(`/workspace/members/${removed}`)],
  'dashboard/workspace/join': [
    'member.joined',
    ({ joining, bodyOfInvited }) => ({ ...post('/workspace/join', bodyOfInvited), key: joining.token }),
  ],
  'dashboard/membership/delete': [
    'member.removed',
    ({ joining }) => ({ ...remove('/workspace/members/me'), key: joining.token }),
  ],
  'dashboard/workspace/decline': [
    'invitation.declined',
    ({ declined, bodyOfInvited }) => ({ ...post('/workspace/decline', bodyOfInvited), key: declined.token }),
  ],
  'dashboard/programs/post': ['program.created', ({ terms }) => post('/programs', terms)],
  'cli/init': ['program.created', ({ terms }) => ({ method: 'POST', path: '/api/v1/cli/init', body: terms })],
  'dashboard/program/patch': ['program.changed', ({ own }) => patch(own.path, { name: 'Renamed' })],
  'dashboard/brand/patch': ['brand.changed', ({ own }) => patch(`${own.path}/brand`, { display_name: 'Acme' })],
  'dashboard/logo/put': [
    'brand.changed',
    ({ own }) => ({
      method: 'PUT',
      path: `${ROOT}${own.path}/brand/logo`,
      body: png().toString('base64'),
      isBase64Encoded: true,
    }),
  ],
  'dashboard/logo/delete': ['brand.changed', ({ own }) => remove(`${own.path}/brand/logo`)],
  'agent/program/patch': [
    'program.changed',
    ({ own, agentKey }) => ({
      method: 'PATCH',
      path: `/api/agent/v1/programs/${own.program.id}`,
      body: { name: 'By a tool' },
      key: agentKey,
    }),
  ],
  'dashboard/groups/post': [
    'group.created',
    ({ own, terms }) => post(`${own.path}/groups`, { name: 'Friends', terms }),
  ],
  'dashboard/group/patch': ['group.changed', ({ own }) => patch(`${own.path}/groups/1`, { name: 'Writers' })],
  'dashboard/partners/post': [
    'partner.added',
    ({ own }) => post(`${own.path}/partners`, { name: 'Cy', email: newAddress() }),
    ['link.created'],
  ],
  'dashboard/invitations/post': [
    'partner.added',
    ({ own }) => post(`${own.path}/invitations`, { invitations: [{ name: 'Di', email: newAddress() }] }),
  ],
  // Changes of name, group and status have an audit row each.
  'dashboard/partner/patch': [
    'partner.changed',
    ({ partnerPath }) => patch(partnerPath, { name: 'Eve', group_id: 1, status: 'active' }),
    ['partner.changed'],
  ],
  'dashboard/partner/accept': [
    'partner.changed',
    async (made) => post(`${(await applicantOf(made)).path}/accept`),
    ['link.created'],
  ],
  'dashboard/partner/reject': [
    'partner.changed',
    async (made) => post(`${(await applicantOf(made)).path}/reject`, { reason: 'Off topic' }),
  ],
  'dashboard/partner/invite': [
    'partner.changed',
    async (made) => {
      const { path } = await applicantOf(made);
      await made.own.owner.post(`${path}/reject`, { reason: 'Off topic' });
      return post(`${path}/invite`);
    },
  ],
  'dashboard/partner/withdraw': [
    'partner.changed',
    async (made) => {
      const { path } = await applicantOf(made);
      await made.own.owner.post(`${path}/reject`, { reason: 'Off topic' });
      await made.own.owner.post(`${path}/invite`);
      return post(`${path}/withdraw`);
    },
  ],
  'partner/join/post': [
    'partner.added',
    async ({ own }) => {
      await own.owner.patch(own.path, { join: 'apply' });
      return asPartner('POST', `/join/${own.program.id}`, (await signedInAs(world)).token);
    },
  ],
  'partner/invitation/accept': [
    'partner.changed',
    async (made) => asPartner('POST', `${made.own.path}/accept`, (await partnerOf(made, { invite: true })).token),
    ['link.created'],
  ],
  'partner/invitation/decline': [
    'partner.changed',
    async (made) => asPartner('POST', `${made.own.path}/decline`, (await partnerOf(made, { invite: true })).token),
  ],
  'partner/terms/post': [
    'partner.changed',
    async (made) => {
      const { token } = await partnerOf(made);
      await made.own.owner.patch(made.own.path, { partner_terms: 'Be fair.' });
      const { partner_terms_version: version } = (await made.own.owner.get(made.own.path)).body.data;
      return asPartner('POST', `${made.own.path}/terms`, token, { version });
    },
  ],
  'partner/program/leave': [
    'partner.changed',
    async (made) => asPartner('POST', `${made.own.path}/leave`, (await partnerOf(made)).token),
  ],
  'partner/billing/put': [
    'billing.changed',
    async (made) => asPartner('PUT', '/billing', (await partnerOf(made)).token, { name: 'Ben Ltd' }),
  ],
  'dashboard/payer/patch': ['workspace.payer_changed', () => patch('/workspace/payer', { name: 'Acme GmbH' })],
  'partner/payout-details/delete': [
    'payout_details.changed',
    async (made) => {
      const { token } = await partnerOf(made);
      await portal(token).put('/payout-details', { method: 'paypal', email: 'ben@people.test' });
      return asPartner('DELETE', '/payout-details', token);
    },
  ],
  'partner/me/delete': [
    'partner.changed',
    async (made) => {
      const { token, account } = await partnerOf(made);
      return asPartner('DELETE', '/me', token, { confirm: account.email });
    },
  ],
  'partner/links/post': [
    'link.created',
    async (made) => {
      await made.own.owner.patch(made.own.path, { partner_terms: '' });
      return asPartner('POST', `${made.own.path}/links`, (await partnerOf(made)).token);
    },
  ],
  'partner/link/patch': [
    'link.changed',
    async (made) => {
      const { token } = await partnerOf(made);
      const { body } = await portal(token).post(`${made.own.path}/links`, {});
      const path = `${made.own.path}/links/${body.data.short_link}`;
      return asPartner('PATCH', path, token, { status: 'inactive' });
    },
  ],
  'dashboard/partner/commission': [
    'commission.granted',
    ({ partnerPath }) => post(`${partnerPath}/commissions`, { amount_cents: 100, currency: 'USD', reason: 'Bonus' }),
  ],
  'dashboard/commission/release': [
    'commission.released',
    async ({ own }) => {
      await holdAds(world, own);
      return post(`${own.path}/commissions/${(await held(world, own)).id}/release`);
    },
  ],
  'dashboard/commissions/release': [
    'commission.released',
    async ({ own }) => {
      await holdAds(world, own);
      return post(`${own.path}/commissions/release`, { ids: [(await held(world, own)).id] });
    },
  ],
  'dashboard/links/post': ['link.created', ({ own }) => post(`${own.path}/links`, { partner_id: own.partner.id })],
  'dashboard/link/patch': [
    'link.changed',
    ({ own }) => patch(`${own.path}/links/${own.shortLink}`, { status: 'inactive' }),
  ],
  'dashboard/codes/post': [
    'code.created',
    ({ own }) => post(`${own.path}/codes`, { partner_id: own.partner.id, code: 'MORE' }),
  ],
  'dashboard/code/patch': ['code.changed', ({ own }) => patch(`${own.path}/codes/save`, { status: 'disabled' })],
  'dashboard/commission/approve': [
    'commission.approved',
    ({ own, toApprove }) => post(`${own.path}/commissions/${toApprove}/approve`),
  ],
  'dashboard/commission/reject': [
    'commission.rejected',
    ({ own, toReject }) => post(`${own.path}/commissions/${toReject}/reject`, { reason: 'Fraud' }),
  ],
  'dashboard/commission/reopen': [
    'commission.reopened',
    async ({ own, toApprove }) => {
      const path = `${own.path}/commissions/${toApprove}`;
      await own.owner.post(`${path}/approve`);
      return post(`${path}/reopen`, { reason: 'Not sure' });
    },
  ],
  'dashboard/commissions/reopen': [
    'commission.reopened',
    async ({ own, toApprove }) => {
      await own.owner.post(`${own.path}/commissions/${toApprove}/approve`);
      return post(`${own.path}/commissions/reopen`, { ids: [toApprove], reason: 'Not sure' });
    },
  ],
  'dashboard/commissions/approve': [
    'commission.approved',
    ({ own, several: [id] }) => post(`${own.path}/commissions/approve`, { ids: [id] }),
  ],
  'dashboard/commissions/reject': [
    'commission.rejected',
    ({ own, several: [, id] }) => post(`${own.path}/commissions/reject`, { ids: [id], reason: 'Fraud' }),
  ],
  'dashboard/payouts/post': ['payout.begun', ({ own }) => ({ ...post(`${own.path}/payouts`, {}), at: HOLD_OVER })],
  // A payout's file shows the payout details of partners.
  'dashboard/payout/get': [
    'payout.exported',
    async ({ own }) => {
      const [{ id }] = (await own.owner.get(`${own.path}/payouts`)).body.data;
      return { method: 'GET', path: `${ROOT}${own.path}/payouts/${id}.csv` };
    },
  ],
  'dashboard/payout/patch': [
    'payout.changed',
    async ({ own }) => {
      const [{ id }] = (await own.owner.get(`${own.path}/payouts`)).body.data;
      return patch(`${own.path}/payouts/${id}`, { reference: 'SEPA 17' });
    },
  ],
  'dashboard/payout-lines/post': [
    'payout.lines_changed',
    async ({ own }) => {
      const [{ id, items }] = (await own.owner.get(`${own.path}/payouts`)).body.data;
      const ids = [`${items[0].partner_id}-${items[0].currency}`];
      return post(`${own.path}/payouts/${id}/lines`, { ids, status: 'sent' });
    },
  ],
  'partner/payout-details/put': [
    'payout_details.changed',
    async (made) => {
      const { token } = await partnerOf(made);
      return asPartner('PUT', '/payout-details', token, { method: 'paypal', email: 'ben@people.test' });
    },
  ],
  'dashboard/sale/refund': [
    'sale.refund_corrected',
    async ({ own }) => {
      const commissions: { transaction_id: string | null }[] = (await own.owner.get(`${own.path}/commissions`)).body
        .data;
      const { transaction_id } = commissions.find((row) => row.transaction_id !== null)!;
      return post(`${own.path}/sales/${transaction_id}/refund`, {
        refund_amount_cents: 100,
        refund_reason: 'Told wrong',
      });
    },
  ],
  'dashboard/customer/unlink': [
    'customer.unlinked',
    async ({ own }) => {
      const [{ click_id }] = (await own.owner.get(`${own.path}/customers`)).body.data;
      return post(`${own.path}/customers/${click_id}/unlink`, { reason: 'Not ours' });
    },
  ],
  'dashboard/customer/export': [
    'customer.exported',
    async ({ own }) => {
      const [{ click_id }] = (await own.owner.get(`${own.path}/customers`)).body.data;
      return { method: 'GET', path: `${ROOT}${own.path}/customers/${click_id}/export` };
    },
  ],
  'dashboard/customer/erase': [
    'customer.erased',
    async ({ own }) => {
      const [{ click_id }] = (await own.owner.get(`${own.path}/customers`)).body.data;
      return post(`${own.path}/customers/${click_id}/erase`, { confirm: click_id });
    },
  ],
  'dashboard/processor/retry': [
    'payment.retried',
    ({ own, unsold }) => post(`${own.path}/processor/payments/${unsold.id}/retry`),
  ],
  'dashboard/processor/put': [
    'processor.secret_set',
    ({ own }) => ({
      method: 'PUT',
      path: `${ROOT}${own.path}/processor`,
      body: { signing_secret: 'whsec_new' },
    }),
  ],
  // A browser returns from the processor's pages.
  'dashboard/processor/callback': [
    'processor.connected',
    async ({ own }) => {
      stripe.letIn(`acct_${own.program.id}`);
      const state = await begin(own.owner, own);
      const cookies = [`service_connect=${state}`];
      return { method: 'GET', path: `${ROOT}/processor/callback`, query: { state, code: 'ac_1' }, cookies };
    },
  ],
  'dashboard/processor/delete': ['processor.disconnected', ({ own }) => remove(`${own.path}/processor`)],
  'dashboard/webhooks/post': ['webhook.created', ({ own }) => post(`${own.path}/webhooks`, { url: WEBHOOK_URL })],
  'dashboard/webhook/patch': ['webhook.changed', ({ endpoint }) => patch(endpoint.path, { description: 'Billing' })],
  'dashboard/webhook/secret': ['webhook.secret_rolled', ({ endpoint }) => post(`${endpoint.path}/secret`)],
  'dashboard/webhook/test': ['webhook.tested', ({ endpoint }) => post(`${endpoint.path}/test`)],
  'dashboard/webhook/replay-delivery': [
    'webhook.replayed',
    async ({ own, endpoint }) => {
      const [{ id }] = (await own.owner.get(`${endpoint.path}/deliveries`)).body.data;
      return post(`${endpoint.path}/deliveries/${id}/replay`);
    },
  ],
  'dashboard/webhook/replay': [
    'webhook.replayed',
    async ({ own, endpoint }) => {
      await factOf(world, own, 'sale.recorded');
      return post(`${endpoint.path}/replay`, { from: '2026-11-20', to: '2026-11-20' });
    },
  ],
  'dashboard/webhook/delete': ['webhook.deleted', ({ endpoint }) => remove(endpoint.path)],
  'dashboard/api-key/post': ['program.key_generated', ({ own }) => post(`${own.path}/api-key`)],
  // This change freezes payouts, so it comes last.
  'dashboard/workspace/patch': ['workspace.changed', () => patch('/workspace', { payouts_frozen: true })],
};

const kinds: Readonly<Record<string, string>> = { agent: 'agent_key', partner: 'partner' };

/** The audit rows of the caller's workspace. */
const audit = async (key: string): Promise<AuditEntry[]> =>
  (await everyPage(dashboard(key), '/workspace/audit?limit=100')).flat() as unknown as AuditEntry[];

it('every route that can change data writes an audit entry, or is in the list of exceptions with a reason', () => {
  const changing = rows.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS').map((row) => row.function);
  const known = new Set([...Object.keys(listed), ...Object.keys(unlisted)]);
  expect([...new Set(changing)].filter((name) => !known.has(name))).toEqual([]);
  const named = new Set(rows.map((row) => row.function));
  expect([...known.difference(named)]).toEqual([]);
});

describe('the audit entries of the function', () => {
  let made: Scene;
  beforeAll(async () => {
    made = await scene();
  });

  it.each(Object.entries(listed))(
    '%s have the expected actions and kind of author, and contain no secret',
    async (name, [action, change, more = []]) => {
      const { own, key, founder } = made;
      const { method, path, ...request } = await change(made);
      const found = matchRoute(routes, method, path)!;
      expect(rows[routes.indexOf(found.route)]!.function).toBe(name);
      const reader = request.key === founder.token ? founder.token : key;
      const hasWorkspace = name !== 'dashboard/workspace/post';
      const before = new Set(hasWorkspace ? (await audit(reader)).map(({ id }) => id) : []);
      const { pathParameters } = found;
      const reply = await send(await handlerOf(found.route), { key, method, path, pathParameters, ...request });
      expect(reply).toMatchObject({ status: name === 'dashboard/processor/callback' ? 302 : 200 });
      const left = (await audit(reader)).filter(({ id }) => !before.has(id));
      expect(left.map((row) => row.action).toSorted()).toEqual([action, ...more].toSorted());
      expect(left[0]!.actor.kind).toBe(kinds[name.split('/')[0]!] ?? 'account');
      const told = JSON.stringify(await world.items(`AUDIT#${own.program.workspaceId}`));
      for (const secret of ['whsec_', 'lgn_', 'agt_', own.key, own.program.keyHash]) expect(told).not.toContain(secret);
    },
  );
});
