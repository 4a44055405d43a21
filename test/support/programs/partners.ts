import { indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';

/** The fields of a partner in the dashboard that say how the partner joined, if the brand added the partner. */
export const addedByBrand = {
  joined_at: null,
  invited_at: null,
  promised_link: null,
  promised_code: null,
  application: null,
  rejection_reason: null,
  accepted_terms: null,
  left_at: null,
  same_account: [],
  has_account: false,
};

/** Adds partners and links, each with one click more than the previous one, and moves days to their month's item. */
export async function manyPartners(world: Pick<World, 'deps'>, programId: number, many: number): Promise<void> {
  const { table } = world.deps();
  const writes = Array.from({ length: many }, (_, n): Write[] => {
    const [id, shortLink] = [1_000_000 + n, `many-${programId}-${n}`];
    const createdAt = new Date(NOW.getTime() + 3_600_000 + n).toISOString();
    const partner = { id, programId, name: `P${n}`, email: `p${n}@p.test`, status: 'active' };
    const link = {
      shortLink,
      programId,
      partnerId: id,
      status: 'active',
      destinationUrl: 'https://p.test/',
    };
    const counters = [
      { of: 'partner', programId, partnerId: id },
      { of: 'link', shortLink },
    ] as const;
    return [
      {
        name: 'partner',
        key: keys.partner(programId, id),
        put: { ...partner, links: [shortLink], createdAt, ...indexKeys.partner(programId, createdAt, id) },
      },
      {
        name: 'link',
        key: keys.link(shortLink),
        put: { ...link, createdAt, ...indexKeys.link(programId, createdAt, shortLink) },
      },
      ...counters.flatMap((counter): Write[] => [
        { name: 'counter', key: keys.counter(counter), put: { clicks: n, version: 1, moves: 1, positions: {} } },
        { name: 'month', key: keys.counterMonth(counter, '2026-10'), put: { 'clicks@2026-10-31': n, moves: 1 } },
      ]),
    ];
  }).flat();
  for (let first = 0; first < writes.length; first += 100) await table.transact(writes.slice(first, first + 100));
  await table.update(keys.program(programId), { add: { partnerCount: many } });
  await table.update(keys.programSize(programId), { add: { links: many } });
}
