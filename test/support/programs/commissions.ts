import { expect } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

export interface OwnedBrand extends Brand {
  readonly owner: Dashboard;
  /** The name under which the owner's changes are recorded. */
  readonly actor: string;
  /** Path of the brand's program in the dashboard API. */
  readonly path: string;
}

export async function ownedBrand(world: World, ...settings: Parameters<World['brand']>): Promise<OwnedBrand> {
  const brand = await world.brand(...settings);
  const { token, account } = await ownerOfBrand(world, brand);
  return { ...brand, owner: dashboard(token), actor: `account:${account.id}`, path: `/programs/${brand.program.id}` };
}

/** The reply for a new commission of 980 cents for a sale of 4900. @param changes fields that differ */
export const commission = (brand: Brand, changes: Record<string, unknown> = {}) => ({
  id: expect.any(Number),
  kind: 'sale',
  program_id: brand.program.id,
  partner_id: brand.partner.id,
  partner_name: 'Ana',
  click_id: expect.stringMatching(/^clk_/),
  sale_id: expect.any(Number),
  transaction_id: expect.any(String),
  lead_id: null,
  status: 'pending',
  commission_type: 'percent',
  commission_rate: 20,
  terms: { version: 1, from: 'program', name: brand.program.name },
  base_amount_cents: 4900,
  amount_cents: 980,
  deducted_cents: 0,
  payable_cents: 980,
  paid_out_cents: 0,
  currency: 'USD',
  refund_state: 'none',
  reversal_reason: null,
  rejection_reason: null,
  by_hand: false,
  needs_review: false,
  platform_fee: { amount_cents: 172, reduced_cents: 0, bps: 350, currency: 'USD' },
  occurred_at: NOW.toISOString(),
  hold_until: '2026-12-05T15:00:00.000Z',
  flags: [],
  held_at: null,
  released_at: null,
  approved_at: null,
  paid_at: null,
  reversed_at: null,
  payout_id: null,
  payout_status: null,
  reason: null,
  external_id: null,
  created_at: NOW.toISOString(),
  version: 1,
  ...changes,
});

/** When the hold period of a commission from `NOW` ends, if the program has the default hold period. */
export const HOLD_OVER = new Date('2026-12-05T15:00:00.000Z');

export const refunded = (brand: Brand, body: object, at = NOW) => send(refund, { key: brand.key, body, at });

let sales = 0;

/** Sends sales, each of a new customer. @returns ids of their commissions */
export async function earned(brand: Brand, count: number, body: object = {}, at = NOW): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const name = `earned_${++sales}`;
    ids.push((await soldTo(brand, name, { transaction_id: name, ...body }, { at })).commission_id);
  }
  return ids;
}

/** The index keys by which a settled commission of the time `NOW` is in its partner's list. */
export const settledPlace = ({ program, partner }: Brand, id: unknown) => ({
  gsi2pk: `PARTNER#${program.id}#${partner.id}#SETTLED_COMMISSIONS`,
  gsi2sk: `${NOW.toISOString()}#${String(id)}`,
});

/** How replies show the terms of a partner who has the program's terms of 20 percent. */
export const withProgramTerms = ({ name }: { readonly name: string }) => ({
  group_id: null,
  group_name: null,
  terms: null,
  terms_in_force: {
    commission_type: 'percent' as const,
    commission_rate: 20,
    duration_months: null,
    hold_period_days: 15,
    lead_commission_cents: 0,
    tiers: [],
    version: 1,
    from: 'program' as const,
    name,
  },
});
