import { expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { refusal } from '#test/support/servers/errors.ts';

// The names of a partner's links are in the partner's item, which the table limits to 400 KB.

const world = openedWorld();

/** The longest name that a link can have. */
const named = (n: number) => `link-${n}-`.padEnd(64, 'x');

/** Gives the partner this many links with long names, and then further ones until one is refused. */
async function filled(own: OwnedBrand, count: number) {
  const links = Array.from({ length: count }, (_, n) => named(n));
  await world.deps().table.update(keys.partner(own.program.id, own.partner.id), { set: { links } });
  const { token } = await memberOf(world, { id: own.program.workspaceId });
  for (let n = count; ; n++) {
    const body = { partner_id: own.partner.id, short_link: named(n) };
    const reply = await dashboard(token).post(`${own.path}/links`, body);
    if (reply.status !== 200) return reply;
  }
}

it('a member cannot give a partner so many links that nothing can be changed in the partner any more', async () => {
  const own = await ownedBrand(world);
  const full = refusal(409, 'This partner has too many links. Use those that exist');
  expect(await filled(own, 4_685)).toMatchObject(full);
  const path = `${own.path}/partners/${own.partner.id}`;
  expect((await own.owner.patch(path, { name: 'A name of many letters '.repeat(5) })).status).toBe(200);
  const { links } = (await own.owner.get(path)).body.data;
  expect(links).toHaveLength(4_688);
});
