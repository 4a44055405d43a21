import { beforeAll, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { routes } from '#infra/routes.ts';
import { operations } from '#lib/wire/document/operations.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { apiClient } from '#test/support/callers/api-client.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { earned, HOLD_OVER, ownedBrand, type OwnedBrand } from '#test/support/programs/commissions.ts';
import { signedInAs } from '#test/support/programs/people.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { endpointOf } from '#test/support/outbox/webhooks.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Checks that each field of each PATCH is stored: the reply to the change equals a later read.

openProcessor();

const world = openedWorld();
let own: OwnedBrand;
beforeAll(async () => {
  own = await ownedBrand(world);
});

const terms = { commission_type: 'percent', commission_rate: 7 };
const allTerms = { ...terms, duration_months: null, hold_period_days: 15, lead_commission_cents: 0, tiers: [] };
const tiers = [{ from_sales: 2, rate: 30 }];

/** Values for the fields of one PATCH, changed in this order. */
type Changes = Readonly<Record<string, unknown>>;

const programOfAgents: Changes = {
  name: 'Renamed',
  domain: 'renamed.test',
  commission_type: 'recurring_percent',
  commission_rate: 21,
  duration_months: 7,
  attribution_window_days: 31,
  lead_commission_cents: 120,
  tiers,
  allowed_origins: ['https://shop.test'],
  currency: 'EUR',
  commission_base: 'excluding_tax',
  code_precedence: 'code_first',
  terms_apply: 'first_sale',
  minimum_payout_cents: 5000,
  lead_auth: 'server_required',
};

const changes: Readonly<Record<string, Changes>> = {
  'dashboard/program/patch': {
    ...programOfAgents,
    status: 'paused',
    hold_period_days: 16,
    auto_approve: false,
    member_approval_cents: 900,
    join: 'open',
    links_per_partner: 6,
    partner_terms: 'No ads.',
    payout_days: [1, 15],
    statement_note: 'VAT is due by the recipient.',
    share_customer_emails: true,
    rules: { velocity: 'hold' },
    banned_referrers: ['*.spam.test'],
    paid_ad_allowed_campaigns: ['summer'],
    velocity_clicks: 60,
    shared_click_payers: 3,
    ignored_addresses: ['203.0.113.7'],
    // The program is still in its initial state.
    sandbox: false,
  },
  'agent/program/patch': programOfAgents,
  'dashboard/brand/patch': {
    display_name: 'Acme',
    accent_color: '#3b54d6',
    welcome: 'Hello',
    contact_email: 'partners@acme.test',
  },
  'dashboard/partner/patch': {
    name: 'Anna',
    email: 'anna@people.test',
    group_id: 1,
    terms,
    status: 'removed',
  },
  'dashboard/group/patch': { name: 'Writers', terms },
  'dashboard/link/patch': { status: 'inactive' },
  'dashboard/code/patch': { status: 'disabled', processor_code_id: 'promo_1', discount: '10% off' },
  'dashboard/webhook/patch': {
    url: 'https://hooks.brand.com/others',
    events: ['sale.recorded'],
    description: 'For the shop',
    status: 'paused',
  },
  'dashboard/payout/patch': { reference: 'SEPA 7' },
  'dashboard/workspace/patch': { payouts_frozen: true },
  'dashboard/payer/patch': {
    name: 'Acme GmbH',
    address: 'Am Markt 1\nBerlin',
    country: 'DE',
    tax_id: 'DE123456789',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFF',
  },
  'partner/link/patch': { status: 'inactive' },
  'partner/me/patch': { mail: false },
};

/** The read value of a sent value. */
const read = (sent: unknown, field: string, shown: unknown): unknown => {
  if (field === 'terms') return allTerms;
  if (field === 'iban') return 'DE** **** 3000';
  return field === 'rules' ? { ...(shown as object), ...(sent as object) } : sent;
};

/** Fields that are read under another name. */
const shownAs: Readonly<Record<string, string>> = { iban: 'iban_masked' };

interface Place {
  readonly user: ReturnType<typeof apiClient>;
  readonly url: string;
  /** The path to read the changed object, if it differs from that of the change. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a row or a list of them, as the place knows
  readonly find?: (data: any) => Record<string, unknown>;
  readonly list?: string;
}

const dashboardPlace = (url: string): Place => ({ user: own.owner, url });

const places: Readonly<Record<string, () => Promise<Place>>> = {
  'dashboard/program/patch': async () => {
    own = await ownedBrand(world);
    return dashboardPlace(own.path);
  },
  'agent/program/patch': async () => {
    const other = await ownedBrand(world);
    const key = await agentKeyOf(world, other);
    return { user: apiClient('/api/agent/v1', key), url: `/programs/${other.program.id}` };
  },
  'dashboard/brand/patch': async () => dashboardPlace(`${own.path}/brand`),
  'dashboard/partner/patch': async () => {
    await own.owner.post(`${own.path}/groups`, { name: 'Friends', terms });
    return dashboardPlace(`${own.path}/partners/${own.partner.id}`);
  },
  'dashboard/group/patch': async () => {
    const made = await own.owner.post(`${own.path}/groups`, {
      name: 'Creators',
      terms: { ...terms, hold_period_days: 1 },
    });
    const { id } = made.body.data;
    return {
      ...dashboardPlace(`${own.path}/groups/${id}`),
      list: `${own.path}/groups`,
      find: (rows) => rows.find((row: { id: number }) => row.id === id),
    };
  },
  'dashboard/link/patch': async () => dashboardPlace(`${own.path}/links/${own.shortLink}`),
  'dashboard/code/patch': async () => {
    const { owner: user, path, partner } = await ownedBrand(world);
    await user.post(`${path}/codes`, { partner_id: partner.id, code: 'ANA10' });
    return { user, url: `${path}/codes/ANA10`, list: `${path}/codes`, find: (rows) => rows[0] };
  },
  'dashboard/webhook/patch': async () => dashboardPlace((await endpointOf(own)).path),
  'dashboard/payout/patch': async () => {
    const other = await ownedBrand(world);
    await earned(other, 1);
    const { body } = await other.owner.post(`${other.path}/payouts`, {}, { at: HOLD_OVER });
    return { user: other.owner, url: `${other.path}/payouts/${body.data.id}` };
  },
  'dashboard/workspace/patch': async () => dashboardPlace('/workspace'),
  'dashboard/payer/patch': async () => dashboardPlace('/workspace/payer'),
  'partner/link/patch': async () => {
    const { person, url } = await programOf(world);
    const user = apiClient('/api/partner/v1', (await person()).token);
    const link = (await user.post(`${url}/links`, {})).body.data.short_link;
    return {
      user,
      url: `${url}/links/${link}`,
      list: `${url}/links`,
      find: (rows) => rows.find((row: { short_link: string }) => row.short_link === link),
    };
  },
  'partner/me/patch': async () => ({
    user: apiClient('/api/partner/v1', (await signedInAs(world)).token),
    url: '/me',
  }),
};

const patches = routes.filter(({ method }) => method === 'PATCH');

it.each(patches)(
  'the function $function stores the new value of each field that PATCH can change',
  async ({ function: name }) => {
    const { shape } = operations[name]!.body as z.ZodMiniObject;
    expect(
      Object.keys(shape)
        .filter((field) => field !== 'seen')
        .toSorted(),
    ).toEqual(Object.keys(changes[name]!).toSorted());
    const { user, url, list = url, find = (data) => data } = await places[name]!();
    for (const [field, sent] of Object.entries(changes[name]!)) {
      const before = find((await user.get(list)).body.data);
      const answer = await user.patch(url, { [field]: sent });
      expect({ field, status: answer.status }).toEqual({ field, status: 200 });
      const after = find((await user.get(list)).body.data);
      const { updated_at: _, ...answered } = answer.body.data;
      expect({ field, ...after }).toMatchObject(answered);
      const shown = shownAs[field] ?? field;
      expect({ [field]: answered[shown] }).toEqual({ [field]: read(sent, field, before[shown]) });
    }
  },
);
