import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { commissionsCsv } from '#lib/service/http/earnings/commission-reply.ts';
import { exportRoutes } from '#infra/local/gateway/export-routes.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { exportCommissions } from '#lib/service/reports/exports/export-commissions.ts';
import { exportBounds, type Exported } from '#lib/service/reports/exports/export-rows.ts';
import { ownedBrand, type OwnedBrand } from '#test/support/programs/commissions.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'));
  process.env.EXPORTS_FOLDER = folder;
});
afterAll(() => rm(folder, { recursive: true }));

const wide = '€'.repeat(250);
const idsIn = (csv: string) =>
  csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number(line.split(',')[0]));

/** Exports in small steps, as a client that follows redirects does. */
async function exportedInSteps(own: OwnedBrand, bounds: Partial<typeof exportBounds>) {
  const answers: Exported[] = [];
  let cursor: string | undefined;
  do {
    const deps = world.deps();
    const spec = { files: exportFiles(deps), spelling: commissionsCsv, cursor };
    const answer = await exportCommissions(deps, own.program, {}, spec, { ...exportBounds, ...bounds });
    answers.push(answer);
    cursor = 'cursor' in answer ? answer.cursor : undefined;
  } while (cursor);
  return answers;
}

describe('an export of commissions that is too large for one reply', () => {
  it(
    'is stored as a file, and the reply redirects to a URL that works for half an hour',
    { tags: ['deep'] },
    async () => {
      const own = await ownedBrand(world);
      const { id: partnerId } = await addPartner(world.deps(), own.program.id, {
        name: '😀'.repeat(60),
        email: `${'x'.repeat(60)}@partners.test`,
      });
      const ids = await manyCommissions(world, own.program.id, partnerId, 5_000, (n) => `${n}${wide}`);
      const reply = await own.owner.get(`${own.path}/commissions.csv`);
      expect(reply).toEqual({
        status: 302,
        headers: {
          ...withoutBody(countedHeaders(300)),
          Location: expect.stringMatching(/^\/local\/exports\/\d{10}-[\w-]{43}\.csv$/),
        },
        body: undefined,
      });
      const name = reply.headers.Location!.split('/').at(-1)!;
      const text = await readFile(join(folder, name), 'utf8');
      expect(Buffer.byteLength(text)).toBeGreaterThan(5_000_000);
      expect(idsIn(text)).toEqual(ids.toReversed());

      const [{ handler }] = exportRoutes(folder) as [ReturnType<typeof exportRoutes>[number]];
      const get = (seconds: number, file = name) =>
        send(handler, {
          method: 'GET',
          path: `/local/exports/${file}`,
          pathParameters: { name: file },
          at: new Date(NOW.getTime() + seconds * 1000),
        });
      expect(await get(1799)).toMatchObject({ status: 200, body: text });
      expect((await get(1800)).status).toBe(404);
      expect((await get(0, '../x')).status).toBe(404);
      expect((await get(0, name.replace(/-.{43}/, `-${'x'.repeat(43)}`))).status).toBe(404);
    },
  );

  it('is read in steps of limited size, each of which continues where the one before ended', async () => {
    const own = await ownedBrand(world);
    const ids = await manyCommissions(world, own.program.id, own.partner.id, 2_300, (n) => `steps ${n}`);
    const answers = await exportedInSteps(own, { commissions: 1_000, partBytes: 50_000, replyBytes: 1 });
    expect(answers.map((answer) => Object.keys(answer)[0])).toEqual(['cursor', 'cursor', 'file']);
    const { file } = answers.at(-1) as { file: string };
    expect(idsIn(await readFile(join(folder, file), 'utf8'))).toEqual(ids.toReversed());
    expect(await readdir(folder)).not.toContain(`${file}.part`);
    // Repeats the first request, as if its reply had been lost.
    const { cursor } = answers[0] as { cursor: string };
    expect(await own.owner.get(`${own.path}/commissions.csv?cursor=${cursor}`)).toMatchObject({
      status: 302,
      headers: { Location: `/local/exports/${file}` },
    });
  });

  it('returns the text itself if the last step completes a file that is small enough', async () => {
    const own = await ownedBrand(world);
    const ids = await manyCommissions(world, own.program.id, own.partner.id, 1_200, (n) => `few ${n}`);
    const answers = await exportedInSteps(own, { commissions: 500 });
    expect(answers).toHaveLength(3);
    expect(idsIn((answers[2] as { text: string }).text)).toEqual(ids.toReversed());
  });
});

describe('a request to export commissions gets 400 “Invalid cursor”', () => {
  const wrong = refusal(400, 'Invalid cursor');

  it.each(['', 'x', 'x'.repeat(43), '../../etc/passwd'])('for the cursor %j', async (cursor) => {
    const own = await ownedBrand(world);
    expect(await own.owner.get(`${own.path}/commissions.csv?cursor=${encodeURIComponent(cursor)}`)).toMatchObject(
      wrong,
    );
  });

  it('for a cursor from another program’s export or from one with another filter', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    await manyCommissions(world, own.program.id, own.partner.id, 600, (n) => `other ${n}`);
    const [first] = (await exportedInSteps(own, { commissions: 500 })) as [{ cursor: string }];
    expect(await other.owner.get(`${other.path}/commissions.csv?cursor=${first.cursor}`)).toMatchObject(wrong);
    for (const filter of ['status=paid', 'currency=USD', 'from=2026-11-01', 'to=2026-11-30']) {
      const reply = await own.owner.get(`${own.path}/commissions.csv?${filter}&cursor=${first.cursor}`);
      expect(reply).toMatchObject(wrong);
    }
  });
});

const withoutBody = ({ 'Content-Type': _type, 'Cache-Control': _cache, ...headers }: Record<string, string>) => headers;
