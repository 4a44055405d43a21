import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { apiClient } from '#test/support/callers/api-client.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { animatedWebp, jpeg, losslessWebp, lossyWebp, png } from '#test/support/programs/images.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { failing, replyLost } from '#test/support/table/faults.ts';

// The logo of a brand: upload, removal, and its public address.

const world = openedWorld();
const everyone = apiClient('', undefined);

const INVALID = 'logo must be a PNG, JPEG or WebP image of at most 200 KB and 4096 pixels a side';
const HOUR_LATER = new Date(NOW.getTime() + 3_600_000);
const hashOf = (file: Buffer): string => createHash('sha256').update(file).digest('hex');

async function start() {
  const { owner, program, path } = await ownedBrand(world);
  const url = `${path}/brand/logo`;
  const upload = (file: Buffer, headers: Record<string, string> = { 'content-type': 'image/png' }, at = NOW) =>
    owner.put(url, file.toString('base64'), { isBase64Encoded: true, headers, at });
  const logo = (headers: Record<string, string> = {}): Promise<TestReply> =>
    everyone.get(`/brand/${program.id}/logo?v=any`, { headers });
  const item = async (sort: string) => (await world.items(`BRAND#${program.id}`)).find(({ sk }) => sk === sort);
  const stored = () => item('LOGO');
  return { owner, program, brandUrl: `${path}/brand`, url, upload, logo, item, stored };
}
const logoOf = (programId: number, file: Buffer, type: string, width: number, height: number) => ({
  url: `/brand/${programId}/logo?v=${hashOf(file).slice(0, 8)}`,
  type,
  bytes: file.length,
  width,
  height,
});
const rowsOf = async (owner: Dashboard) =>
  ((await owner.get('/workspace/audit')).body.data as { action: string; changes: { logo?: object } }[]).filter(
    ({ action }) => action === 'brand.changed',
  );
const { 'X-Request-ID': _, ...headersOfFile } = countedHeaders(300);
const fileReply = (file: Buffer, type: string): TestReply => ({
  status: 200,
  headers: {
    ...headersOfFile,
    'Content-Type': type,
    'Cache-Control': 'public, max-age=300',
    ETag: `"${hashOf(file)}"`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  },
  body: file.toString('base64'),
});

describe('PUT /programs/{id}/brand/logo', () => {
  it('stores the file in a separate item, and everyone can read the same bytes', async () => {
    const { owner, program, brandUrl, upload, logo, item, stored } = await start();
    const file = png({ width: 300, height: 100 });
    const data = {
      display_name: null,
      accent_color: null,
      accent: null,
      welcome: null,
      contact_email: null,
      logo: logoOf(program.id, file, 'image/png', 300, 100),
      updated_at: NOW.toISOString(),
    };
    expect(await upload(file)).toEqual(dataReply(data));
    expect((await owner.get(brandUrl)).body).toEqual({ data });
    expect(await stored()).toEqual({
      pk: `BRAND#${program.id}`,
      sk: 'LOGO',
      content: new Uint8Array(file),
      type: 'image/png',
      sha256: hashOf(file),
    });
    const { logo: facts, ...brand } = (await item('BRAND'))!;
    expect(facts).toEqual({ type: 'image/png', bytes: file.length, width: 300, height: 100, sha256: hashOf(file) });
    expect(brand).not.toHaveProperty('content');
    expect(await logo()).toEqual(fileReply(file, 'image/png'));
    expect((await rowsOf(owner)).map(({ changes }) => changes)).toEqual([{ logo: { from: null, to: facts } }]);
  });

  it.each([
    ['image/jpeg', jpeg, 30, 20],
    ['image/webp', lossyWebp, 30, 20],
    ['image/webp', losslessWebp, 30, 20],
    ['image/webp', animatedWebp, 1, 1],
  ])(
    'detects the type %s from the bytes, even if the request names another type',
    async (type, file, width, height) => {
      const { program, upload, logo } = await start();
      for (const sent of ['image/gif', 'application/octet-stream', '']) {
        const { body } = await upload(file, { 'content-type': sent });
        expect(body.data.logo).toEqual(logoOf(program.id, file, type, width, height));
      }
      expect(await logo()).toEqual(fileReply(file, type));
    },
  );

  it('replaces the former file, and the logo gets another URL', async () => {
    const { owner, program, upload, logo } = await start();
    const [first, second] = [png({ shade: 1 }), png({ shade: 2 })];
    await upload(first);
    const { body } = await upload(second, undefined, HOUR_LATER);
    expect(body.data).toMatchObject({
      logo: logoOf(program.id, second, 'image/png', 3, 2),
      updated_at: HOUR_LATER.toISOString(),
    });
    expect(await logo()).toEqual(fileReply(second, 'image/png'));
    expect(await rowsOf(owner)).toHaveLength(2);
  });

  it('changes nothing if the same file is sent again, even after the first reply was lost', async () => {
    const { owner, upload } = await start();
    const file = png();
    await failing('write', replyLost, () => upload(file));
    const { body } = await upload(file, undefined, HOUR_LATER);
    expect(body.data.updated_at).toBe(NOW.toISOString());
    expect(await rowsOf(owner)).toHaveLength(1);
  });

  it('stores one of several files that are sent in parallel with a new name, and the brand’s URL leads to that file', async () => {
    const { owner, program, brandUrl, upload, logo } = await start();
    const files = [1, 2, 3].map((shade) => png({ shade }));
    const replies = await Promise.all([
      ...files.map((file) => upload(file)),
      owner.patch(brandUrl, { display_name: 'Acme' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await owner.get(brandUrl);
    expect(body.data.display_name).toBe('Acme');
    const winner = files.find((file) => body.data.logo.url.endsWith(hashOf(file).slice(0, 8)))!;
    expect(body.data.logo).toEqual(logoOf(program.id, winner, 'image/png', 3, 2));
    expect(await logo()).toEqual(fileReply(winner, 'image/png'));
  });

  it('accepts an image of the maximum size and side length, and refuses larger ones', async () => {
    const { upload, logo, stored } = await start();
    const largest = png({ width: 4_096, height: 1, bytes: 204_800 });
    expect((await upload(largest)).body.data.logo).toMatchObject({ width: 4_096, bytes: 204_800 });
    expect((await logo()).body).toBe(largest.toString('base64'));
    const before = await stored();
    for (const file of [png({ bytes: 204_801 }), png({ width: 4_097 }), png({ height: 4_097 })]) {
      expect(await upload(file)).toMatchObject(refusal(400, INVALID));
    }
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['JSON', Buffer.from('{}')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a PNG that was cut off', png().subarray(0, -1)],
    ['a JPEG that was cut off', jpeg.subarray(0, -1)],
    ['a WebP that was cut off', lossyWebp.subarray(0, -1)],
  ])('refuses %s', async (_name, file) => {
    const { upload, logo, stored } = await start();
    expect(await upload(file)).toMatchObject(refusal(400, INVALID));
    expect(await stored()).toBeUndefined();
    expect((await logo()).status).toBe(404);
  });

  it('refuses an image that was sent as text and thereby damaged', async () => {
    const { owner, url, stored } = await start();
    for (const file of [png(), jpeg, lossyWebp]) {
      const headers = { 'content-type': 'text/plain' };
      expect(await owner.put(url, file.toString('utf8'), { headers })).toMatchObject(refusal(400, INVALID));
    }
    expect(await owner.put(url, undefined)).toMatchObject(refusal(400, INVALID));
    expect(await stored()).toBeUndefined();
  });
});

describe('DELETE /programs/{id}/brand/logo', () => {
  it('removes the file; a second request changes nothing', async () => {
    const { owner, url, upload, logo, stored } = await start();
    await upload(png());
    const reply = await owner.delete(url, { at: HOUR_LATER });
    expect(reply.body.data).toMatchObject({ logo: null, updated_at: HOUR_LATER.toISOString() });
    expect(await stored()).toBeUndefined();
    expect((await logo()).body).toEqual(platformError(404, 'Logo not found'));
    expect((await owner.delete(url)).body).toEqual(reply.body);
    expect(await rowsOf(owner)).toHaveLength(2);
  });

  it('changes nothing if there is no logo', async () => {
    const { owner, url } = await start();
    expect((await owner.delete(url)).body.data).toMatchObject({ logo: null, updated_at: null });
    expect(await rowsOf(owner)).toEqual([]);
  });
});

it('PUT and DELETE of a logo answer 403 to a member, before the body is read', async () => {
  const { program, url, stored } = await start();
  const { workspace } = await ownerOfBrand(world, { program });
  const member = dashboard((await memberOf(world, workspace)).token);
  for (const reply of [await member.put(url, 'x'), await member.delete(url)]) {
    expect(reply).toMatchObject(refusal(403, 'Only a workspace owner can do this'));
  }
  expect(await stored()).toBeUndefined();
});

describe('GET /brand/{program_id}/logo', () => {
  it('answers 404 for a program without a logo', async () => {
    const { program } = await start();
    for (const id of [program.id, 999_999, 0, 'x', '1e0', '9'.repeat(30)]) {
      const { status, headers, body } = await everyone.get(`/brand/${id}/logo`);
      expect({ status, body }).toEqual({ status: 404, body: platformError(404, 'Logo not found') });
      expect(headers['Cache-Control']).toBe('no-store');
    }
  });

  it('answers 304 without reading the file to a browser that already has this version', async () => {
    const { upload, logo } = await start();
    const file = png();
    await upload(file);
    const { 'Content-Type': _type, ...counted } = headersOfFile;
    const tag = `"${hashOf(file)}"`;
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      expect(await logo({ 'if-none-match': known })).toEqual({
        status: 304,
        headers: { ...counted, 'Cache-Control': 'public, max-age=300', ETag: tag },
        body: undefined,
      });
    }
  });

  it('sends the file to a browser that has an older version', async () => {
    const { upload, logo } = await start();
    await upload(png({ shade: 1 }));
    await upload(png({ shade: 2 }));
    const known = `"${hashOf(png({ shade: 1 }))}"`;
    expect(await logo({ 'if-none-match': known })).toEqual(fileReply(png({ shade: 2 }), 'image/png'));
  });

  it('is rate-limited per IP address', async () => {
    const { upload, program } = await start();
    await upload(png());
    const replies = await Promise.all(
      Array.from({ length: 301 }, () => everyone.get(`/brand/${program.id}/logo`, { ip: '203.0.113.9' })),
    );
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});
