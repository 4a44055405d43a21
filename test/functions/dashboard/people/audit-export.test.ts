import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { ownedBrand, earned } from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { refusal } from '#test/support/servers/errors.ts';

const world = openedWorld();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'));
  process.env.EXPORTS_FOLDER = folder;
});
afterAll(() => rm(folder, { recursive: true }));

const CSV = '/workspace/audit.csv';

it('the CSV file of the audit list has a row for each entry, and accepts the filters of the list', async () => {
  const own = await ownedBrand(world);
  const ids = await earned(own, 2);
  await own.owner.patch(own.path, { name: '=1+1' });
  await own.owner.post(
    `${own.path}/commissions/approve`,
    { ids, batch: 'batch-one' },
    {
      at: new Date(NOW.getTime() + 1_000),
    },
  );
  const reply = await own.owner.get(CSV);
  const owner = `owner <owner@${own.program.domain}>`;
  const { id, name } = own.program;
  expect(reply).toMatchObject({
    status: 200,
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="audit.csv"' },
    body: [
      'at,actor,action,target_type,target_id,target_name,program_id,count,amounts,changes',
      `2026-11-20T15:00:01.000Z,${owner},commission.approved,program,${id},'=1+1,${id},2,"{""USD"":1960}","{""status"":{""from"":null,""to"":""approved""}}"`,
      `${NOW.toISOString()},${owner},program.changed,program,${id},${name},${id},1,,"{""name"":{""from"":""${name}"",""to"":""=1+1""}}"`,
      '',
    ].join('\r\n'),
  });
  const filtered = await own.owner.get(`${CSV}?action=program.changed&bom=1`);
  expect(String(filtered.body).split('\r\n')).toHaveLength(3);
  expect(String(filtered.body).startsWith('\uFEFFat,')).toBe(true);
});

it(
  'a CSV file of the audit list that is too large for a reply is stored, and contains all entries',
  { tags: ['deep'] },
  async () => {
    const own = await ownedBrand(world);
    await own.owner.patch(own.path, { name: 'First' });
    const { workspaceId } = own.program;
    const [entry] = await world.items(`AUDIT#${workspaceId}`);
    const { table } = world.deps();
    const changes = { text: { from: null, to: 'x'.repeat(2_000) } };
    for (let n = 0; n < 3_000; n++) {
      const at = new Date(NOW.getTime() + 1_000 + n).toISOString();
      const id = `aud_${n}`;
      await table.put(keys.auditEntry(workspaceId, at, id), {
        ...entry,
        sk: undefined,
        pk: undefined,
        id,
        at,
        changes,
      });
    }
    const reply = await own.owner.get(CSV);
    expect(reply).toMatchObject({ status: 302, headers: { Location: expect.stringMatching(/^\/local\/exports\//) } });
    const text = await readFile(join(folder, String(reply.headers['Location']).split('/').at(-1)!), 'utf8');
    expect(Buffer.byteLength(text)).toBeGreaterThan(6_000_000);
    expect(text.split('\r\n')).toHaveLength(3_003);
  },
);

it('the export of the audit list refuses a cursor from an export with another filter', async () => {
  const own = await ownedBrand(world);
  expect(await own.owner.get(`${CSV}?cursor=${'x'.repeat(43)}`)).toMatchObject(refusal(400, 'Invalid cursor'));
});
