import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { png } from '#test/support/programs/images.ts';
import { signed } from '#test/support/stripe/stripe.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';
import { livePartners } from '#test/wire/journey-of-partners.ts';
import { type Brand, type OwnedBrand, report, sell } from '#test/wire/journey-of-sales.ts';
import type { Issuer, Recorder } from '#test/wire/recorder.ts';

const dashboard = '/api/dashboard/v1';
const cli = '/api/v1/cli';
/** A small image in base64. */
const LOGO = png().toString('base64');

/** The parts of the environment that the journey needs besides the interface. */
export interface JourneyWorld extends Pick<World, 'deps' | 'replace'> {
  /** Lets the counters catch up with the events. */
  readonly counted: () => Promise<void>;
}

/** A brand's journey through the whole interface: every operation succeeds at least once. */
export async function liveThroughInterface(world: JourneyWorld, issuer: Issuer, recorder: Recorder): Promise<void> {
  const owner = await signUp(issuer, recorder);
  const brand = await setUp(recorder, owner);
  await logInByTerminal(issuer, recorder);
  await integrate(recorder, { ...brand, owner });
  await sell(recorder, brand);
  await world.counted();
  await report(recorder, { ...brand, owner });
  await livePartners(issuer, recorder, { ...brand, owner });
  await useStripe(recorder, { ...brand, owner });
  await useWebhooks(recorder, { ...brand, owner });
  await actAsAgent(world, recorder, brand.programId);
  await recorder.ask('Where she is signed in', `GET ${dashboard}/tokens`, { key: owner });
  await recorder.ask('No such token', `DELETE ${dashboard}/tokens/${'0'.repeat(32)}`, { key: owner });
  await refuseMails(world, recorder);
  const other = await signIn(issuer, recorder, 'kim');
  const { body } = await recorder.ask('Two tokens', `GET ${dashboard}/tokens`, { key: other });
  const { id } = body.data.find(({ current }: { current: boolean }) => current);
  await recorder.ask('One ended', `DELETE ${dashboard}/tokens/${id}`, { key: owner });
  await recorder.ask('Nobody else', `DELETE ${dashboard}/tokens`, { key: owner });
  const late = { attribution_window_days: 60, seen: { attribution_window_days: 90 } };
  const window = { key: owner, body: late };
  await recorder.ask('Changed meanwhile', `PATCH ${dashboard}/programs/${brand.programId}`, window);
  await recorder.ask('Signed out', `DELETE ${dashboard}/session`, { key: owner });
}

async function refuseMails(world: JourneyWorld, { ask }: Recorder): Promise<void> {
  const unsubscribe = '/api/v1/mail/unsubscribe';
  await world.replace({ ...keys.mailRefusal(sha256('of-a-mail')), email: 'ana@partners.test', expires_at: 2 ** 32 });
  await ask('The page of a mail', `GET ${unsubscribe}?token=of-a-mail`, {});
  await ask('One click', `POST ${unsubscribe}?token=of-a-mail`, {});
  await ask('Of no mail', `POST ${unsubscribe}?token=made-up`, {});
  const block = '/api/v1/mail/block';
  await world.replace({
    ...keys.mailRefusal(sha256('of-one')),
    email: 'ana@partners.test',
    senderId: 1,
    expires_at: 2 ** 32,
  });
  await ask('The page of an invitation', `GET ${block}?token=of-one`, {});
  await ask('Its button', `POST ${block}?token=of-one`, {});
  await ask('Of no invitation', `POST ${block}?token=made-up`, {});
}

/** @returns the login token of a further sign-in */
async function signIn(issuer: Issuer, { ask }: Recorder, sub: string): Promise<string> {
  const body = { id_token: await issuer.idToken({ sub, email: `${sub}@acme.test` }) };
  return (await ask('Signed in again', `POST ${dashboard}/session`, { body })).body.data.token;
}

/** @returns the login token of a new owner of a workspace */
async function signUp(issuer: Issuer, recorder: Recorder): Promise<string> {
  const { ask } = recorder;
  const body = { id_token: await issuer.idToken({ sub: 'kim', email: 'kim@acme.test', name: 'Kim' }) };
  const { token, account } = (await ask('A new account', `POST ${dashboard}/session`, { body })).body.data;
  const as = { key: token };
  await ask('No workspace yet', `GET ${dashboard}/workspace`, as);
  const named = { ...as, body: { name: 'Acme' } };
  const workspace = (await ask('A new workspace', `POST ${dashboard}/workspace`, named)).body.data;
  await ask('An owner', `GET ${dashboard}/me`, as);
  await ask('Her workspace', `GET ${dashboard}/workspace`, as);
  await ask('No money leaves', `PATCH ${dashboard}/workspace`, { ...as, body: { payouts_frozen: true } });
  await ask('Going on', `PATCH ${dashboard}/workspace`, { ...as, body: { payouts_frozen: false } });
  const payer = { name: 'Acme GmbH', address: 'Am Markt 1, Berlin', country: 'DE', tax_id: 'DE123456789' };
  const from = { ...payer, iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFF' };
  await ask('Who pays', `PATCH ${dashboard}/workspace/payer`, { ...as, body: from });
  await ask('Who pays', `GET ${dashboard}/workspace/payer`, as);
  await ask('Her address', `GET ${dashboard}/address`, as);
  const member = { email: 'lee@acme.test', role: 'member' };
  await ask('An invitation', `POST ${dashboard}/workspace/members`, { ...as, body: member });
  await ask('An owner and a pending member', `GET ${dashboard}/workspace/members`, as);
  await ask('The last owner', `DELETE ${dashboard}/workspace/members/${account.id}`, as);
  await ask('A pending member', `DELETE ${dashboard}/workspace/members/lee%40acme.test`, as);
  await ask('Nobody', `DELETE ${dashboard}/workspace/members?account_id=lee%40acme.test`, as);
  const done = (await ask('What she did so far', `GET ${dashboard}/workspace/audit`, as)).body.data;
  await ask('An unknown action', `GET ${dashboard}/workspace/audit?action=nothing`, as);
  await ask('As a file', `GET ${dashboard}/workspace/audit.csv`, as);
  await ask('Its only object', `GET ${dashboard}/workspace/audit/${done[0].id}/items`, as);
  await ask('No such entry', `GET ${dashboard}/workspace/audit/aud_0/items`, as);
  await ask('Another invitation', `POST ${dashboard}/workspace/members`, { ...as, body: member });
  await join(issuer, recorder, { owner: token, workspaceId: workspace.id });
  return token;
}

/** An invited person accepts, leaves again, and declines the next invitation. */
async function join(
  issuer: Issuer,
  { ask }: Recorder,
  { owner, workspaceId }: { readonly owner: string; readonly workspaceId: number },
): Promise<void> {
  const body = { id_token: await issuer.idToken({ sub: 'lee', email: 'lee@acme.test' }) };
  const { token } = (await ask('Somebody invited', `POST ${dashboard}/session`, { body })).body.data;
  const as = { key: token };
  const of = { ...as, body: { workspace_id: workspaceId } };
  await ask('Somebody invited', `GET ${dashboard}/me`, as);
  await ask('Accepted', `POST ${dashboard}/workspace/join`, of);
  await ask('No invitation any more', `POST ${dashboard}/workspace/decline`, of);
  await ask('A member leaves', `DELETE ${dashboard}/workspace/members/me`, as);
  await ask('Nobody invited', `POST ${dashboard}/workspace/join`, of);
  await ask('Invited again', `POST ${dashboard}/workspace/members`, {
    key: owner,
    body: { email: 'lee@acme.test', role: 'member' },
  });
  await ask('Declined', `POST ${dashboard}/workspace/decline`, of);
}

/** @returns a program with its key, the partner Ana and her link */
async function setUp({ ask }: Recorder, owner: string): Promise<Brand> {
  const as = { key: owner };
  const wanted = { name: 'Acme Pro', domain: 'acme.test', commission_type: 'percent', commission_rate: 20 };
  await ask('Fields are missing', `POST ${dashboard}/programs`, { ...as, body: { name: 'Acme Pro' } });
  const { id } = (await ask('A program', `POST ${dashboard}/programs`, { ...as, body: wanted })).body.data;
  const program = `${dashboard}/programs/${id}`;
  await ask('One program', `GET ${dashboard}/programs`, as);
  await ask('A program', `GET ${program}`, as);
  await ask('Another window', `PATCH ${program}`, { ...as, body: { attribution_window_days: 30 } });
  const { api_key: key } = (await ask('A new key', `POST ${program}/api-key`, { ...as, body: {} })).body.data;
  const brand = { display_name: 'Acme', accent_color: '#FFD000', contact_email: 'partners@acme.test' };
  await ask('Not seen by everyone yet', `GET /api/partner/v1/brand/${id}`);
  await ask('Yellow', `PATCH ${program}/brand`, { ...as, body: brand });
  await ask('No color', `PATCH ${program}/brand`, { ...as, body: { accent_color: 'yellow' } });
  await ask('No image', `PUT ${program}/brand/logo`, { ...as, body: 'Acme', isBase64Encoded: true });
  await ask('A logo', `PUT ${program}/brand/logo`, { ...as, body: LOGO, isBase64Encoded: true });
  await ask('With a logo', `GET ${program}/brand`, as);
  await ask('As everyone sees it', `GET /api/partner/v1/brand/${id}`);
  await ask('A file', `GET /brand/${id}/logo`);
  await ask('Without a logo', `DELETE ${program}/brand/logo`, as);
  await ask('No file', `GET /brand/${id}/logo`);
  const ana = { name: 'Ana', email: 'ana@partners.test' };
  const partner = (await ask('A new partner', `POST ${program}/partners`, { ...as, body: ana })).body.data;
  await ask('Known already', `POST ${program}/partners`, { ...as, body: ana });
  await ask('Still a partner', `PATCH ${program}/partners/${partner.id}`, { ...as, body: { status: 'active' } });
  const terms = { commission_type: 'recurring_percent', commission_rate: 25, duration_months: 12 };
  const group = { name: 'Creators', terms };
  const { id: groupId } = (await ask('A new group', `POST ${program}/groups`, { ...as, body: group })).body.data;
  await ask('A taken name', `POST ${program}/groups`, { ...as, body: group });
  await ask('A group', `PATCH ${program}/groups/${groupId}`, { ...as, body: { name: 'Writers' } });
  await ask('One group', `GET ${program}/groups`, as);
  await ask('All versions', `GET ${program}/terms`, as);
  await ask('A preview', `POST ${program}/terms/preview`, { ...as, body: { commission_rate: 25 } });
  const special = { group_id: groupId, terms };
  await ask('In a group, with terms of her own', `PATCH ${program}/partners/${partner.id}`, { ...as, body: special });
  const none = { group_id: null, terms: null };
  await ask('With the terms of the program', `PATCH ${program}/partners/${partner.id}`, { ...as, body: none });
  const link = { partner_id: partner.id, short_link: 'ana-news' };
  await ask('A new link', `POST ${program}/links`, { ...as, body: link });
  await ask('Taken already', `POST ${program}/links`, { ...as, body: link });
  await ask('A link', `PATCH ${program}/links/ana`, { ...as, body: { status: 'active' } });
  const code = { partner_id: partner.id, code: 'SAVE10', discount: '10% off the first order' };
  await ask('A new code', `POST ${program}/codes`, { ...as, body: code });
  await ask('In use already', `POST ${program}/codes`, { ...as, body: code });
  await ask('One code', `GET ${program}/codes`, as);
  await ask('Named at Stripe', `PATCH ${program}/codes/save10`, {
    ...as,
    body: { processor_code_id: 'promo_1MowU2LkdIwHu7ix' },
  });
  return { programId: id, key };
}

async function logInByTerminal(issuer: Issuer, { ask }: Recorder): Promise<void> {
  const { state } = (await ask('A new login', `POST ${cli}/auth/start`)).body.data;
  await ask('Nobody signed in yet', `GET ${cli}/auth/poll?state=${state}`);
  await ask('Which terminal asks', `GET ${cli}/auth/request?state=${state}`);
  const body = { state, id_token: await issuer.idToken({ sub: 'kim', email: 'kim@acme.test', name: 'Kim' }) };
  await ask('Signed in', `POST ${cli}/auth/callback`, { body });
  const { token } = (await ask('The token, this once', `GET ${cli}/auth/poll?state=${state}`)).body.data;
  await ask('A second time', `GET ${cli}/auth/poll?state=${state}`);
  const wanted = {
    name: 'My SaaS',
    domain: 'saas.test',
    commission_type: 'recurring_percent',
    commission_rate: 20,
    duration_months: 12,
  };
  await ask('A program', `POST ${cli}/init`, { key: token, body: wanted });
  await ask('Two programs', `GET ${cli}/programs`, { key: token });
}

async function integrate({ ask }: Recorder, { programId, key, owner }: OwnedBrand): Promise<void> {
  const program = `${dashboard}/programs/${programId}`;
  await ask('Nothing sent yet', 'GET /api/v1/programs/me/readiness', { key });
  await ask('A single event', `POST ${cli}/test-event`, { key, body: { event_type: 'click' } });
  await ask('The whole chain', `POST ${cli}/test-event`, { key, body: { type: 'chain' } });
  await ask('An unknown event', `POST ${cli}/test-event`, { key, body: { event_type: 'visit' } });
  await ask('The whole chain', `POST ${program}/verification`, { key: owner, body: {} });
  await ask('Integrated', 'GET /api/v1/programs/me/readiness', { key });
  await ask('An unknown key', 'GET /api/v1/programs/me/readiness', { key: `aff_1_${'0'.repeat(32)}` });
  await ask('Integrated', `GET ${program}/readiness`, { key: owner });
  await ask('No event yet', `GET ${cli}/status`, { key });
  await ask('Retired', `POST ${cli}/payment-connect`);
}

async function useStripe({ ask }: Recorder, { programId, key, owner }: OwnedBrand): Promise<void> {
  const processor = `${dashboard}/programs/${programId}/processor`;
  const as = { key: owner };
  const webhook = `POST /api/v1/webhooks/stripe/${programId}`;
  await ask('Not connected', `GET ${processor}`, as);
  await ask("Stripe's page", `POST ${processor}/connect`, { ...as, body: {} });
  await ask('A direct endpoint', `PUT ${processor}`, { ...as, body: { signing_secret: 'whsec_example' } });
  await ask('A payment', webhook, signed(payment, 'whsec_example'));
  await ask('Signed with another secret', webhook, signed(payment, 'whsec_other'));
  await ask('A payment', 'POST /api/v1/webhooks/stripe', signed(payment, 'whsec_platform'));
  const forward = 'POST /api/v1/track/stripe';
  await ask('A payment of somebody whom no partner brought', forward, { key, body: { ...payment, id: 'evt_3' } });
  await ask('A promotion code', forward, { key, body: promotionCode });
  await ask('The same again', forward, { key, body: promotionCode });
  await ask('A thin event', forward, { key, body: { ...payment, data: undefined } });
  await ask('Nothing was left out', `GET ${processor}/payments`, as);
  await ask('A payment of a click that nobody has', webhook, signed(unsoldPayment, 'whsec_example'));
  await ask('Tried again', `POST ${processor}/payments/${unsoldPayment.id}/retry`, as);
  await ask('An event that nobody knows', `POST ${processor}/payments/evt_0/retry`, as);
  await ask('Disconnected', `DELETE ${processor}`, as);
}

/** Webhooks for other systems of the brand. */
async function useWebhooks({ ask }: Recorder, { programId, owner }: OwnedBrand): Promise<void> {
  const webhooks = `${dashboard}/programs/${programId}/webhooks`;
  const as = { key: owner };
  const wanted = { url: 'https://hooks.acme.test/referrals', events: ['sale.recorded', 'sale.refunded'] };
  const { id } = (await ask('A new endpoint', `POST ${webhooks}`, { ...as, body: wanted })).body.data;
  const endpoint = `${webhooks}/${id}`;
  await ask('In a private network', `POST ${webhooks}`, { ...as, body: { url: 'https://10.0.0.1/' } });
  await ask('One endpoint', `GET ${webhooks}`, as);
  await ask('An endpoint', `GET ${endpoint}`, as);
  await ask('No such endpoint', `GET ${webhooks}/999999`, as);
  await ask('A description', `PATCH ${endpoint}`, { ...as, body: { description: 'Billing' } });
  await ask('A new secret', `POST ${endpoint}/secret`, { ...as, body: {} });
  const test = { ...as, body: { event: 'sale.recorded' } };
  const { id: delivery } = (await ask('A test', `POST ${endpoint}/test`, test)).body.data;
  const { data } = (await ask('One waits', `GET ${endpoint}/deliveries`, as)).body;
  await ask('What it carries', `GET ${dashboard}/programs/${programId}/facts?id=${data[0].event_id}`, as);
  await ask('What can be sent', `GET ${dashboard}/programs/${programId}/facts`, as);
  await ask('Sent again', `POST ${endpoint}/deliveries/${delivery}/replay`, { ...as, body: {} });
  await ask('Of a week', `POST ${endpoint}/replay`, { ...as, body: { from: '2026-11-14', to: '2026-11-20' } });
  await ask('Of a quarter', `POST ${endpoint}/replay`, { ...as, body: { from: '2026-09-01', to: '2026-11-20' } });
  await ask('Deleted', `DELETE ${endpoint}`, as);
}

const payment = {
  id: 'evt_1',
  type: 'checkout.session.completed',
  created: Math.floor(NOW.getTime() / 1000),
  data: {
    object: {
      id: 'cs_1',
      mode: 'payment',
      payment_status: 'paid',
      amount_total: 2900,
      currency: 'usd',
      payment_intent: 'pi_1',
      metadata: { service_customer_key: 'user_123' },
    },
  },
};

const promotionCode = {
  id: 'evt_4',
  type: 'promotion_code.created',
  created: NOW.getTime() / 1000,
  livemode: true,
  data: { object: { id: 'promo_1', code: 'WELCOME' } },
};

const unsoldPayment = {
  id: 'evt_2',
  type: 'payment_intent.succeeded',
  created: NOW.getTime() / 1000,
  livemode: true,
  data: {
    object: {
      id: 'pi_2',
      amount_received: 4900,
      currency: 'usd',
      metadata: { service_click_id: 'clk_of_nobody' },
    },
  },
};

async function actAsAgent(world: JourneyWorld, { ask }: Recorder, programId: number): Promise<void> {
  const programs = '/api/agent/v1/programs';
  const program = await findProgram(world.deps().table, programId);
  const key = await agentKeyOf(world, { program: program! });
  await ask('Two programs', `GET ${programs}`, { key });
  await ask('A program', `GET ${programs}/${programId}`, { key });
  await ask('Another rate', `PATCH ${programs}/${programId}`, { key, body: { commission_rate: 25 } });
  await ask('Integrated', `GET ${programs}/${programId}/readiness`, { key });
}
