import { startEngine } from '#infra/local/database/engine.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';
import { buyerKeyOf, transactionIdOf } from '#test/bench/support/tables/names.ts';
import { FIRST_ID } from '#test/bench/support/recorded.ts';

/**
 * A file of the embedded engine, which is stopped. It contains a table with brands that have one visitor and one buyer
 * each.
 */
export interface SeededTable {
  readonly file: string;
  readonly tableName: string;
  readonly brands: readonly Brand[];
  /** The customers of the brands; all other customers are copies of them. */
  readonly originals: readonly [Original, ...Original[]];
  /** When everything in the table was created. */
  readonly at: string;
}

/** The ids of a brand's visitor and of its buyer. */
interface Original {
  readonly visitorClickId: string;
  readonly buyerClickId: string;
  readonly buyerKey: string;
  readonly transactionId: string;
}

const BRANDS = 10;

/** The number of the first original. The numbers of copies are lower. */
const FIRST_ORIGINAL = 90_000_000;

/** The number of a brand's first customer. The customers are divided equally among the brands. */
export const firstOf = (brand: number, customers: number): number => Math.ceil((brand * customers) / BRANDS);

/** The brand of customer number `n`. */
export const brandNumberOf = (n: number, customers: number): number => Math.floor((n * BRANDS) / customers);

/** Creates the table. @param prepare adds more items; while it runs, requests of this process use this table */
export async function seedTable(
  file: string,
  prepare?: (world: World, brands: readonly Brand[]) => Promise<void>,
): Promise<SeededTable> {
  const engine = await startEngine({ dbPath: file });
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  const world = await openWorld();
  await world.deps().table.update(keys.sequence('event'), { add: { last: FIRST_ID } });
  const at = new Date(Date.now() - 24 * 3_600_000);
  const brands: Brand[] = [];
  const originals: Original[] = [];
  for (let n = 0; n < BRANDS; n++) {
    const brand = await world.brand();
    const [key, transactionId] = [buyerKeyOf(FIRST_ORIGINAL + n), transactionIdOf(FIRST_ORIGINAL + n)];
    const visitorClickId = await clicked(brand, { at });
    await soldTo(brand, key, { transaction_id: transactionId }, { at });
    const buyer = await world.deps().table.get<{ clickId: string }>(keys.customerKey(key, brand.program.id));
    brands.push(brand);
    originals.push({ visitorClickId, buyerClickId: buyer!.clickId, buyerKey: key, transactionId });
  }
  await prepare?.(world, brands);
  await engine.stop();
  return {
    file,
    tableName: world.tableName,
    brands,
    originals: originals as [Original, ...Original[]],
    at: at.toISOString(),
  };
}
