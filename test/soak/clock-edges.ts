import { type Brand, newBrand, saleOf, signedUp } from '#test/live/brand.ts';
import { succeed } from '#test/live/caller.ts';
import { passEdge } from '#test/soak/support/edge.ts';
import { DAY_MS, edges, oneDay } from '#test/soak/support/edges.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { hold } from '#test/live/hold.ts';
import { soak } from '#test/soak/support/part.ts';
import { startService } from '#test/live/service.ts';
import { openClock } from '#test/soak/support/service-clock.ts';
import { soundTable, type Stored } from '#test/soak/support/stored.ts';

// The clock is moved over the ends of attribution windows, holds, logins, login tokens and key rotations, while clients
// send requests on both sides of them. Other clients without such limits sell at the same time and must not be
// affected.

const SELLERS_BESIDE = 2;
const SALES_BESIDE = 40;

await soak(async (part) => {
  const rounds = part.size(5, 1);
  const service = await startService(part);
  const clock = openClock(service.call);
  const answers: Record<string, { before: number; after: number }> = {};
  const acknowledged = new Set<string>();
  const acknowledge = (transactionId: string) => void acknowledged.add(transactionId);

  for (let n = 0; n < rounds * edges.length; n++) {
    const brand = await newBrand(service.call, `soak-${n}`, oneDay);
    const beside = await newBrand(service.call, `beside-${n}`);
    await signedUp(service.call, beside, 'buyer');
    const edge = await edges[n % edges.length]!({ service, brand, acknowledge });
    const [{ before, after }] = await Promise.all([passEdge(clock, edge), sellBeside(beside)]);
    const sum = (answers[edge.name] ??= { before: 0, after: 0 });
    sum.before += before;
    sum.after += after;
  }
  const stored = await soundTable(service);
  expectWithinWindow(stored);
  hold(
    acknowledged.symmetricDifference(new Set(stored.sales.keys())).size === 0,
    'Not the sales that were acknowledged',
  );
  const told = Object.entries(answers).map(([name, { before, after }]) => [
    name,
    `${before} answers before it, ${after} after`,
  ]);
  return {
    ...Object.fromEntries(told),
    'sales, all within their windows': stored.sales.size,
    'of these beside the edges': rounds * edges.length * SALES_BESIDE,
  };

  async function sellBeside(brand: Brand): Promise<void> {
    await inParallel(SALES_BESIDE, SELLERS_BESIDE, async (n) => {
      const transactionId = `${brand.name}-${n}`;
      const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: 'buyer' };
      const { attributed } = await succeed(service.call, saleOf(brand, body));
      hold(attributed, `Sale ${transactionId}, beside any edge, was not attributed`);
      acknowledge(transactionId);
    });
  }
});

/** Expects that every sale is within its attribution window, to the millisecond, by the stored times. */
function expectWithinWindow({ sales, customers }: Stored): void {
  for (const { transactionId, attribution, occurredAt } of sales.values()) {
    const customer = customers.get((attribution as { clickId: string }).clickId);
    const age = Date.parse(String(occurredAt)) - Date.parse(String(customer?.firstClickAt));
    hold(customer?.signupAt || age <= DAY_MS, `Sale ${String(transactionId)} is attributed ${age} ms after its click`);
  }
}
