import { newBrand, saleOf, signedUp } from '#test/live/brand.ts';
import type { Reply } from '#test/live/caller.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { hold } from '#test/live/hold.ts';
import { soak } from '#test/soak/support/part.ts';
import { startService } from '#test/live/service.ts';
import { soundTable } from '#test/soak/support/stored.ts';

// Many programs' servers send the same few transaction ids in parallel, each time with another amount. Of all requests
// for an id exactly one is the sale, and every other reply contains that sale.

const SOCKETS = 256;

await soak(async (part) => {
  const { chance, size } = part;
  const ids = size(100, 12);
  // Half of an id's requests come from one program and half from the next, so that each stays within its rate limit.
  const perProgram = size(50, 25);
  const service = await startService(part, { sockets: SOCKETS });
  const sellers = await inParallel(ids, 8, async (n) => {
    const brand = await newBrand(service.call, `soak-${n}`);
    return { ...brand, clickId: await signedUp(service.call, brand, 'buyer') };
  });
  const requests = chance.shuffled(
    Array.from({ length: ids * 2 * perProgram }, (_, n) => {
      const id = n % ids;
      const isNext = n >= ids * perProgram;
      return {
        id,
        transactionId: `sale-${id}`,
        seller: sellers[(id + (isNext ? 1 : 0)) % ids]!,
        amountCents: 1_000 + n,
      };
    }),
  );

  const startedAt = performance.now();
  const replies = await Promise.all(
    requests.map(async ({ transactionId, seller, amountCents }) =>
      service.call(saleOf(seller, { transaction_id: transactionId, amount_cents: amountCents, customer_key: 'buyer' })),
    ),
  );
  const perSecond = Math.round(requests.length / ((performance.now() - startedAt) / 1_000));

  const { sales, commissions } = await soundTable(service);
  hold(sales.size === ids, `${ids} ids have ${sales.size} sales`);
  hold(commissions.size === ids, `${ids} sales have ${commissions.size} commissions`);
  for (let id = 0; id < ids; id++) {
    const own = requests.map((request, n) => ({ ...request, ...replies[n]! })).filter((request) => request.id === id);
    const [winner, ...others] = own.filter(({ status }) => status === 200);
    hold(winner && others.length === 0, `Id ${id} was accepted ${others.length + (winner ? 1 : 0)} times`);
    const stored = sales.get(winner.transactionId);
    const expected = [winner.body.sale_id, winner.amountCents, winner.seller.programId, winner.body.commission_id];
    const found = [stored?.id, stored?.amountCents, stored?.programId, commissions.get(winner.transactionId)?.id];
    hold(
      String(found) === String(expected),
      `Sale ${id} is ${String(found)}, and was acknowledged as ${String(expected)}`,
    );
    for (const reply of own) {
      const isRight = reply.status === 200 || namesSale(reply, winner.body.sale_id);
      hold(isRight, `A request for id ${id} answered ${reply.status}: ${reply.text}`);
    }
  }
  return {
    'requests at once': `${requests.length} for ${ids} ids of ${ids} programs, over ${SOCKETS} connections`,
    'replies a second': perSecond,
    'sales, each with its one commission': sales.size,
    'requests answered with the stored sale': replies.filter(({ status }) => status === 409).length,
  };
});

function namesSale({ status, body }: Reply, saleId: number): boolean {
  return status === 409 && body.error.details.sale_id === saleId;
}
