import type { RecordedBrands, RecordedOperations } from '#test/bench/support/tables/bare-brands.ts';
import { ask } from '#test/bench/support/in-process.ts';
import { recorded } from '#test/bench/support/recorded.ts';
import { clickOf } from '#test/bench/support/requests.ts';
import { leadOf, saleOf } from '#test/live/brand.ts';
import type { Request } from '#test/live/caller.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import type { Brand } from '#test/support/programs/world.ts';

/** Records the table calls of each operation. For that, it creates customers of this brand. */
export async function recordOperations(brand: Brand): Promise<RecordedOperations> {
  const [customerKey, leadKey, soldBefore, soldNow] = ['customer', 'lead', 'sale-1', 'sale-2'].map(
    (name) => `recorded-${name}-${brand.program.id}`,
  ) as [string, string, string, string];
  await soldTo(brand, customerKey, { transaction_id: soldBefore }, { at: new Date() });
  const visitor = await clicked(brand, { at: new Date() });
  const sale = (transactionId: string) =>
    saleOf(brand, { transaction_id: transactionId, amount_cents: 4900, customer_key: customerKey });

  const click = await observed(clickOf(brand));
  const lead = await observed(leadOf(brand, { click_id: visitor, customer_key: leadKey }));
  const later = await observed(sale(soldNow));
  const repeated = await observed(sale(soldBefore));
  return {
    click: recorded(click.calls, {}, [click.body.click_id!]),
    lead: recorded(lead.calls, { click_id: visitor, customer_key: leadKey }),
    sale: recorded(later.calls, { transaction_id: soldNow, customer_key: customerKey }),
    'repeated sale': recorded(repeated.calls, { transaction_id: soldBefore, customer_key: customerKey }),
  };
}

/** Records the table calls of each operation, for every brand. */
export async function recordBrands(brands: readonly Brand[]): Promise<RecordedBrands> {
  const found: Record<string, RecordedOperations> = {};
  for (const brand of brands) {
    const operations = await recordOperations(brand);
    found[brand.key] = operations;
    found[brand.affiliateUrl] = operations;
  }
  return found;
}

async function observed(request: Request): Promise<{ body: Record<string, string>; calls: SentCall[] }> {
  let body = {} as Record<string, string>;
  const calls = await sentCalls(async () => {
    ({ body } = await ask(request));
  });
  return { body, calls };
}
