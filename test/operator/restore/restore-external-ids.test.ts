import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { checkRestore } from '#lib/service/operations/restore/check-restore.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const named = { amount_cents: 300, currency: 'USD', reason: 'Bonus', external_id: 'bonus 1' };
const grant = ({ owner, path, partner }: OwnedBrand, body: object) =>
  owner.post(`${path}/partners/${partner.id}/commissions`, body);
const listed = async ({ owner, path }: OwnedBrand) => (await owner.get(`${path}/commissions`)).body.data;
const remove = (key: { pk: string; sk: string }) => world.deps().table.transact([{ name: 'lost', key, remove: true }]);

async function cut(lose: (own: OwnedBrand, id: number) => Promise<unknown>) {
  const own = await ownedBrand(world);
  const { id } = (await grant(own, named)).body.data;
  await lose(own, id);
  const deps = world.deps();
  const check = () => checkRestore({ ...deps, now: new Date(deps.now.getTime() + 1_000) }, { restoredTo: deps.now });
  const { repaired } = await check();
  expect((await check()).repaired).toEqual([]);
  return { own, id, repaired: repaired.filter((what) => what.startsWith(`commission ${id}`)) };
}

describe('`restore check`, for a commission granted by hand with an external id,', () => {
  it('recreates the item that reserves the external id if it was lost, so that the commission cannot be granted twice', async () => {
    const { own, id, repaired } = await cut(({ program }) => remove(keys.externalId(program.id, 'bonus 1')));
    expect(repaired).toEqual([`commission ${id}: its external id`]);
    expect((await grant(own, named)).body.data).toMatchObject({ id });
  });

  it('deletes the item that reserves the external id if the commission was lost, so that it can be granted again', async () => {
    const { own, id, repaired } = await cut((_, lost) => remove(keys.manualCommission(lost)));
    expect(repaired).toEqual([`commission ${id}: lost and can be granted again`]);
    expect(await world.deps().table.get(keys.externalId(own.program.id, 'bonus 1'))).toBeUndefined();
  });

  it('repairs nothing if the commission and the item that reserves its id were lost; two parallel grants then create one', async () => {
    const { own, id } = await cut(async (_, lost) => {
      await remove(keys.manualCommission(lost));
      await remove(keys.commissionName(lost, 'NAME'));
    });
    const replies = await Promise.all([grant(own, named), grant(own, named)]);
    const ids = replies.map(({ body }) => body.data.id as number);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).not.toBe(id);
    expect(await listed(own)).toHaveLength(1);
  });
});
