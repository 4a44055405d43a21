import { describe, expect, it } from 'vitest';
import { dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import { fullDemo, removedPartner, smallDemo } from '#infra/local/demo/demo-partners.ts';
import { MOST_STEPS } from '#infra/local/demo/demo-progress.ts';
import { planHistory, type Step } from '#infra/local/demo/demo-plan.ts';
import { everyNth } from '#test/support/cases/cases.ts';

const of = <Kind extends Step['kind']>(steps: readonly Step[], kind: Kind) =>
  steps.filter((step): step is Extract<Step, { kind: Kind }> => step.kind === kind);

// Histories end on every weekday, at the start, middle and end of the day, because the choices differ.
const ends = Array.from({ length: 7 }, (_, day) =>
  ['00:00:00.000', '11:30:00.000', '23:59:59.999'].map((time) => `${dayLater('2026-11-16', day)}T${time}Z`),
).flat();

for (const [index, at] of ends.entries())
  describe(`the planned history of the demo, up to ${at}`, everyNth(4, index), () => {
    const end = new Date(at);
    const steps = planHistory(end);
    const clicks = of(steps, 'click');
    const leads = of(steps, 'lead');
    const purchases = [...of(steps, 'sale'), ...of(steps, 'payment')].map(({ purchase }) => purchase);
    const firsts = purchases.filter(({ isRenewal }) => !isRenewal);

    it('is the same whenever it is computed', () => {
      expect(planHistory(end)).toEqual(steps);
    });

    it('covers sixty days in order of time', () => {
      const times = steps.map((step) => step.at.getTime());
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(dayOf(steps[0]!.at)).toBe(dayLater(dayOf(end), -59));
      expect(steps.filter((step) => step.at > end)).toEqual([]);
      expect(new Set(clicks.map((click) => dayOf(click.at))).size).toBe(60);
      expect(steps.length).toBeLessThanOrEqual(MOST_STEPS);
    });

    it('has leads for 10 to 14 % of its clicks, first payments for 3 to 5 %, and more clicks in its second half', () => {
      expect(clicks.length).toBeGreaterThan(1_500);
      expect(clicks.length).toBeLessThan(2_000);
      expect(leads.length / clicks.length).toBeGreaterThan(0.1);
      expect(leads.length / clicks.length).toBeLessThan(0.14);
      expect(firsts.length / clicks.length).toBeGreaterThan(0.03);
      expect(firsts.length / clicks.length).toBeLessThan(0.05);
      const middle = new Date(end.getTime() - 30 * 86_400_000);
      const late = clicks.filter((click) => click.at > middle).length;
      expect(late / clicks.length).toBeGreaterThan(0.55);
    });

    it('has unique click ids, customer keys and transaction ids, and none that the documents use', () => {
      for (const names of [
        clicks.filter(({ isReturn }) => !isReturn).map(({ clickId }) => clickId),
        leads.map(({ customerKey }) => customerKey),
        purchases.map(({ transactionId }) => transactionId),
      ]) {
        expect(new Set(names).size).toBe(names.length);
        expect(names).not.toContain('user_123');
        expect(names).not.toContain('acme_1001');
      }
    });

    it('has partners with payout details before the first payout', () => {
      const details = of(steps, 'details');
      expect(details.map(({ details: { method } }) => method)).toEqual(['paypal', 'bank', 'wise', 'bank']);
      const [firstPayout] = of(steps, 'payout');
      expect(details.filter((step) => step.at >= firstPayout!.at)).toEqual([]);
    });

    it('has every kind of payment event', () => {
      const currencies = new Set(purchases.map(({ currency }) => currency));
      expect(currencies).toEqual(new Set(['USD', 'EUR']));
      expect(new Set(firsts.map(({ fate }) => fate))).toEqual(
        new Set([undefined, 'refunded', 'partlyRefunded', 'rejected', 'approved', 'reducedAfterPayout', 'disputed']),
      );
      expect(of(steps, 'payment')).toHaveLength(1);
      expect(of(steps, 'payout')).toHaveLength(3);
      const refunds = of(steps, 'refund');
      expect(refunds.filter(({ reason }) => reason === 'chargeback')).toHaveLength(1);
      expect(refunds.some(({ totalCents }) => totalCents === undefined)).toBe(true);
      expect(refunds.some(({ totalCents }) => totalCents !== undefined)).toBe(true);
      expect(firsts.length).toBeLessThan(leads.length / 2);
    });

    it('has a refund and a dispute of sales whose commissions are paid, for two different partners', () => {
      const [reduced, disputed] = ['reducedAfterPayout', 'disputed'].map((wanted) =>
        firsts.find(({ fate }) => fate === wanted),
      );
      expect(reduced!.customer.partner).not.toBe(disputed!.customer.partner);
    });

    it('has clicks of every quality, and customers whom fraud rules match', () => {
      const first = clicks.filter(({ isReturn }) => !isReturn);
      const qualities = Object.groupBy(first, ({ arrival }) => arrival?.quality ?? 'ok');
      expect(Object.keys(qualities).toSorted()).toEqual(['bot', 'ok', 'paid_ad', 'preview', 'repeat']);
      expect(qualities.ok!.length / first.length).toBeGreaterThan(0.8);
      const [rules] = of(steps, 'rules');
      const later = firsts.filter(({ paidAt, fate }) => paidAt >= rules!.at.getTime() && !fate);
      const arrivals = new Map(first.map(({ clickId, arrival }) => [clickId, arrival]));
      const looked = later.flatMap(({ customer }) => arrivals.get(customer.clickId) ?? []);
      expect(looked.filter(({ quality }) => quality === 'paid_ad')).toHaveLength(3);
      expect(looked.filter(({ from }) => from !== undefined)).toHaveLength(2);
      const automatic = [...qualities.bot!, ...qualities.preview!].map(({ clickId }) => clickId);
      const found = new Set([
        ...leads.map(({ clickId }) => clickId),
        ...clicks.filter(({ isReturn }) => isReturn).map(({ clickId }) => clickId),
      ]);
      expect(automatic.filter((clickId) => found.has(clickId))).toEqual([]);
    });

    it('has no clicks, leads or payments of the removed partner after the removal', () => {
      const [removal] = of(steps, 'removal');
      const later = steps.filter((step) => step.at > removal!.at);
      const links = of(later, 'click').map(({ link }) => link);
      expect(links.filter((link) => removedPartner.links.includes(link))).toEqual([]);
      const sold = [...of(later, 'sale'), ...of(later, 'payment')].map(({ purchase }) => purchase.customer.partner);
      expect(sold).not.toContain(removedPartner);
    });
  });

it('the first partners of the full demo are those of the small demo, and the shares of all partners add up to 100', () => {
  expect(fullDemo.slice(0, smallDemo.length).map(({ name, email }) => ({ name, email }))).toEqual(
    smallDemo.map(({ name, email }) => ({ name, email })),
  );
  expect(fullDemo).toHaveLength(8);
  expect(fullDemo.reduce((sum, { share }) => sum + share, 0)).toBe(100);
});
