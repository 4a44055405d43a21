import { expect, it } from 'vitest';
import { recordOwnersView } from '#lib/service/http/callers/record-owners-view.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const brand = opened(() => world.brand());

const actor = { kind: 'account', id: 1, name: 'Owner', email: 'owner@brand.test' } as const;
const note = (minutes: number) =>
  recordOwnersView(
    world.deps(new Date(NOW.getTime() + minutes * 60_000)),
    { accountId: 1, actor },
    brand.program,
    brand.partner,
  );
const rows = async () =>
  (await world.items(`AUDIT#${brand.program.workspaceId}`)).filter(({ action }) => action === 'partner.viewed_as');

it('recordOwnersView writes one audit row an hour when an owner views the portal as a partner, and fails if it cannot', async () => {
  await expect(failing('write', refused('Unavailable'), () => note(0))).rejects.toThrow(
    'Made by the test: Unavailable',
  );
  expect(await rows()).toEqual([]);
  for (const minutes of [0, 1, 59, 60]) await note(minutes);
  expect((await rows()).map(({ at }) => at)).toEqual([
    NOW.toISOString(),
    new Date(NOW.getTime() + 3_600_000).toISOString(),
  ]);
});
