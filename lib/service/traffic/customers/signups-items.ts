import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** How long the item is stored after the end of its day, because the day's last request may arrive late. */
const KEPT_MS = DAY_MS + 7_200_000;

/**
 * Counts a confirmed signup of a day: once for the partner, and once for the partner together with the network.
 * @param network hash of the network
 * @returns both counts, including this signup
 */
export async function countSignup(
  table: Table,
  { programId, partnerId, day }: { readonly programId: number; readonly partnerId: number; readonly day: Day },
  network: string,
): Promise<{ readonly ofPartner: number; readonly ofNetwork: number }> {
  const expires_at = (Date.parse(day) + KEPT_MS) / 1_000;
  const [ofPartner, ofNetwork] = await Promise.all(
    [keys.signups(programId, partnerId, day), keys.signupsFrom(programId, partnerId, day, network)].map(
      async (key) => (await table.update<{ count: number }>(key, { add: { count: 1 }, set: { expires_at } })).count,
    ),
  );
  return { ofPartner: ofPartner!, ofNetwork: ofNetwork! };
}
