import type { World } from '#test/support/programs/world.ts';

/** Reads all items of one sale. The refunds are in order. */
export async function saleItems(world: World, transactionId: string) {
  const items = await world.items(`SALE#${transactionId}`);
  return {
    sale: items.find(({ sk }) => sk === 'SALE')!,
    commission: items.find(({ sk }) => sk === 'COMMISSION'),
    refunds: items.filter(({ sk }) => String(sk).startsWith('REFUND#')).toSorted((a, b) => Number(a.id) - Number(b.id)),
  };
}

/** The item by which a customer lists one of its real sales. */
export const listingOf = (clickId: string, createdAt: Date, transactionId: string) => ({
  pk: `CUSTOMER#${clickId}`,
  sk: `SALE#${createdAt.toISOString()}#${transactionId}`,
});
