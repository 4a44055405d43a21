import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { changeProgram, clicked, settledLead, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { paid } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();

const nothing = { commissions: 0, amounts: {} };
const one = { commissions: 1, amounts: { USD: 980 } };
const noRules = {
  self_referral: { action: 'flag', ...nothing },
  same_domain: { action: 'off', ...nothing },
  disposable_email: { action: 'off', ...nothing },
  paid_ad: { action: 'off', ...nothing },
  banned_referrer: { action: 'off', ...nothing },
  velocity: { action: 'off', ...nothing },
  address_only: { action: 'flag', ...nothing },
};
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

const setTraits = (clickId: string, traits: CustomerTraits) =>
  world.deps().table.update(keys.customer(clickId), { set: { traits } });

/** A sale of 49.00 to a separate customer. @returns the click id */
async function soldWith(
  own: OwnedBrand,
  name: string,
  traits: CustomerTraits,
  { at = NOW, body = {} }: { readonly at?: Date; readonly body?: object } = {},
): Promise<string> {
  const clickId = await signedUp(own, name, { at });
  await setTraits(clickId, traits);
  await sold(own, { customer_key: name, transaction_id: `${name} of ${own.program.id}`, ...body }, { at });
  return clickId;
}
const preview = async ({ owner, path }: OwnedBrand, at = NOW) => (await owner.get(`${path}/rules`, { at })).body.data;

describe('the preview of the rules for suspicious sales', () => {
  it('is empty for a program without commissions', async () => {
    const own = await ownedBrand(world);
    expect(await own.owner.get(`${own.path}/rules`)).toEqual(dataReply({ rules: noRules, complete: true }));
  });

  it('lists which sales each rule matches, even if the rule is switched off', async () => {
    const own = await ownedBrand(world);
    const { id: partnerId } = own.partner;
    await soldWith(own, 'self', { compared: { partnerId, address: true, domain: true } });
    await soldWith(own, 'thrown', { mailDomain: 'mailinator.com' });
    await soldWith(own, 'ad', { adCampaign: 'summer' });
    await soldWith(own, 'referred', { referrer: 'coupons.test' });
    await soldWith(own, 'both', { adCampaign: '', referrer: 'coupons.test' }, { body: { currency: 'EUR' } });
    await soldWith(own, 'honest', {});
    const rules = { paid_ad: 'hold', same_domain: 'flag' };
    await own.owner.patch(own.path, { rules, banned_referrers: ['coupons.test'] });
    expect(await preview(own)).toEqual({
      rules: {
        ...noRules,
        self_referral: { action: 'flag', ...one },
        same_domain: { action: 'flag', ...one },
        disposable_email: { action: 'off', ...one },
        paid_ad: { action: 'hold', commissions: 2, amounts: { USD: 980, EUR: 980 } },
        banned_referrer: { action: 'off', commissions: 2, amounts: { USD: 980, EUR: 980 } },
      },
      complete: true,
    });
    await own.owner.patch(own.path, { banned_referrers: [], paid_ad_allowed_campaigns: ['summer'] });
    expect((await preview(own)).rules).toMatchObject({
      paid_ad: { action: 'hold', commissions: 1, amounts: { EUR: 980 } },
      banned_referrer: { action: 'off', ...nothing },
    });
  });

  it('lists the sales whose customer was found only by the e-mail address', async () => {
    const own = await ownedBrand(world);
    const email = 'found@customers.test';
    await settledLead(own, { click_id: await clicked(own), email });
    await directEndpoint(world, own);
    await deliver(own, paid('address_only', { customer_details: { email } }));
    expect((await preview(own)).rules.address_only).toEqual({ action: 'flag', ...one });
  });

  it('also includes commissions for leads, and commissions that were released, reversed or rejected', async () => {
    const own = await ownedBrand(world);
    await changeProgram(world, own, { leadCommissionCents: 500 });
    const clickId = await signedUp(own, 'lead');
    await setTraits(clickId, { adCampaign: '', released: ['paid_ad'] });
    const { data } = (await own.owner.get(`${own.path}/commissions`)).body;
    await own.owner.post(`${own.path}/commissions/${data[0].id}/reject`, { reason: 'No' });
    expect((await preview(own)).rules.paid_ad).toEqual({ action: 'off', commissions: 1, amounts: { USD: 500 } });
  });

  it('leaves out bonuses and the sales of erased customers', async () => {
    const own = await ownedBrand(world);
    const grant = { amount_cents: 500, currency: 'USD', reason: 'Bonus' };
    await own.owner.post(`${own.path}/partners/${own.partner.id}/commissions`, grant);
    const clickId = await soldWith(own, 'erased', { adCampaign: '', referrer: 'coupons.test' });
    await eraseCustomer(world.deps(), { programId: own.program.id, clickId }, () => Promise.resolve());
    expect(await preview(own)).toEqual({ rules: noRules, complete: true });
  });

  it('covers the last 30 days, today inclusive', async () => {
    const own = await ownedBrand(world);
    await soldWith(own, 'in', { adCampaign: '' }, { at: daysAgo(29) });
    await soldWith(own, 'out', { adCampaign: '' }, { at: daysAgo(30) });
    expect(await preview(own)).toMatchObject({ rules: { paid_ad: one }, complete: true });
  });

  it('covers the newest 1,000 commissions and says that there are more', { timeout: 60_000 }, async () => {
    const own = await ownedBrand(world);
    const clickId = await signedUp(own, 'crowd');
    await setTraits(clickId, { adCampaign: '' });
    const idOf = (n: number) => `preview ${own.program.id} ${n}`;
    await manyCommissions(world, own.program.id, own.partner.id, 1_000, idOf, { clickId });
    const thousand = { action: 'off', commissions: 1_000, amounts: { USD: 100_000 } };
    expect(await preview(own)).toMatchObject({ rules: { paid_ad: thousand }, complete: true });
    await soldWith(own, 'older', { adCampaign: '' }, { at: daysAgo(1) });
    expect(await preview(own)).toMatchObject({ rules: { paid_ad: thousand }, complete: false });
  });
});
