import { describe, expect, it, vi } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { signedUp } from '#test/support/payments/lives/journeys.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { handler as askStatus } from '#functions/cli/status.ts';
import { agentKeyOf } from '#test/support/callers/agent.ts';
import { failingTimes, refused } from '#test/support/table/faults.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';

const DEADLINE = new Date('2026-12-01T00:00:00.000Z');

const world = openedWorld();

/** A brand, its owner's dashboard, and the two URLs for the program key. */
async function ownedBrand() {
  const brand = await world.brand();
  const { token, workspace } = await ownerOfBrand(world, brand);
  const url = `/programs/${brand.program.id}`;
  return { brand, workspace, user: dashboard(token), url, keyUrl: `${url}/api-key` };
}

const refundWith = (key: string, at = NOW) => send(refund, { key, at, body: { transaction_id: 'never' } });
const invalid = codedError(401, 'unauthorized', 'Invalid API token');

describe('POST /programs/{id}/api-key', () => {
  it('returns a new program key once; the new key is valid at once and the old one unknown', async () => {
    const { brand, user, url, keyUrl } = await ownedBrand();
    const reply = await user.post(keyUrl);
    const key: string = reply.body.data.api_key;
    const masked = `aff_****${key.slice(-4)}`;
    expect(reply).toEqual(dataReply({ api_key: key, api_token_masked: masked }));
    expect(key).toMatch(new RegExp(`^aff_${brand.program.id.toString(36)}_[0-9A-Za-z]{32}$`));
    expect((await refundWith(key)).status).toBe(404);
    expect((await refundWith(brand.key)).body).toEqual(invalid);
    expect((await user.get(url)).body.data.api_token_masked).toBe(masked);
    expect(await world.items(`CREDENTIAL#${sha256(brand.key)}`)).toEqual([]);
  });

  it('stores when the key was generated', async () => {
    const { brand, user, keyUrl } = await ownedBrand();
    const at = new Date('2026-11-21T00:00:00.000Z');
    await user.post(keyUrl, undefined, { at });
    expect(await findProgram(world.deps().table, brand.program.id)).toMatchObject({
      keyRotatedAt: at.toISOString(),
      updatedAt: at.toISOString(),
    });
  });

  it('also replaces a key in the older format, without prefix and program id', async () => {
    const { brand, user, keyUrl } = await ownedBrand();
    const older = 'an-older-key-without-structure';
    const { table } = world.deps();
    await table.put(keys.credential(sha256(older)), { class: 'programKey', programId: brand.program.id });
    await table.update(keys.program(brand.program.id), { set: { keyHash: sha256(older), keyMasked: '****ture' } });
    expect((await refundWith(older)).status).toBe(404);
    await user.post(keyUrl);
    expect((await refundWith(older)).body).toEqual(invalid);
  });

  it('leaves one valid key if requests run in parallel', async () => {
    const { brand, user, url, keyUrl } = await ownedBrand();
    const replies = await Promise.all(Array.from({ length: 6 }, () => user.post(keyUrl)));
    const generated: string[] = replies.map(({ body }) => body.data.api_key);
    const answers = await Promise.all(
      [brand.key, ...generated].map(async (key) => [key, (await refundWith(key)).status]),
    );
    const working = answers.filter(([, status]) => status === 404);
    expect(working).toHaveLength(1);
    const { body } = await user.get(url);
    expect(body.data.api_token_masked).toBe(`aff_****${String(working[0]?.[0]).slice(-4)}`);
  });
});

it('a sale that starts after the reply with the new program key cannot succeed with the old key', async () => {
  const { brand, user, keyUrl } = await ownedBrand();
  await signedUp(brand, 'racer');
  let isAnswered = false;
  const sellOnce = async (name: string) => {
    const isLate = isAnswered;
    const body = { transaction_id: `race-${name}`, amount_cents: 100, customer_key: 'racer' };
    const { status } = await send(sale, { key: brand.key, body });
    return { isLate, status };
  };
  /** Sends sales until two that started after the reply with the new key have been answered. */
  async function sellOn(loop: number): Promise<number[]> {
    const late: number[] = [];
    for (let n = 0; late.length < 2; n++) {
      const { isLate, status } = await sellOnce(`${loop}-${n}`);
      if (isLate) late.push(status);
    }
    return late;
  }

  expect((await sellOnce('before')).status).toBe(200);
  const selling = [1, 2, 3].map(sellOn);
  await user.post(keyUrl);
  isAnswered = true;
  expect(await Promise.all(selling)).toEqual([1, 2, 3].map(() => [401, 401]));
});

describe('a program key marked for rotation', () => {
  const warning = {
    code: 'api_key_rotation_required',
    message: 'This API key must be replaced by 2026-12-01.',
    hint: 'A workspace owner can create a new key in Settings → API Key. Then update SERVICE_API_KEY on your server.',
    rotate_by: DEADLINE.toISOString(),
    docs_url: 'https://track.test/docs/errors',
  };
  const retired = {
    ...warning,
    message: 'This API key was retired on 2026-12-01.',
    hint: 'A workspace owner must create a new key in Settings → API Key.',
  };

  it.each([
    ['before its deadline', NOW, 404, warning],
    ['after its deadline', DEADLINE, 401, retired],
  ])(
    '%s adds a warning to GET /programs/{id}, and generating a new key removes the mark',
    async (_, at, status, entry) => {
      const { brand, user, url, keyUrl } = await ownedBrand();
      const { body: unmarked } = await user.get(url);
      expect(unmarked).toEqual({ data: expect.any(Object) });
      await markKeyForRotation(world.deps(), brand.program.id, DEADLINE);
      expect(await user.get(url, { at })).toEqual({
        status: 200,
        headers: countedHeaders(300, at === NOW ? 2 : 1, at),
        body: { data: unmarked.data, warnings: [entry] },
      });
      expect((await refundWith(brand.key, at)).status).toBe(status);

      const { body } = await user.post(keyUrl, undefined, { at });
      expect((await user.get(url, { at })).body).toEqual({ data: expect.any(Object) });
      const reply = await refundWith(body.data.api_key, at);
      expect(reply).toEqual({
        status: 404,
        headers: countedHeaders(120, 1, at),
        body: codedError(404, 'not_found', 'Sale not found for transaction_id'),
      });
    },
  );
});

it('no other reply and no item in the table contains a whole program key', async () => {
  const { user, url, keyUrl } = await ownedBrand();
  const { body } = await user.post(keyUrl);
  const key: string = body.data.api_key;
  const replies = [
    await user.get(url),
    await user.patch(url, { name: 'Renamed' }),
    await user.get('/programs'),
    await user.post('/programs', { name: 'New', domain: 'new.test', commission_type: 'fixed', commission_rate: 1 }),
    await user.get(`${url}/partners`),
    await user.get(`${url}/links`),
  ];
  const secret = /aff_[0-9a-z]+_[0-9A-Za-z]{32}/;
  expect(replies.filter((reply) => reply.status !== 200 || secret.test(JSON.stringify(reply)))).toEqual([]);
  const stored = JSON.stringify(await allItems(world));
  expect(stored).not.toContain(key);
  expect(stored).not.toMatch(secret);
});

// The times of the program key's generation and last use.

const HOUR = 3_600_000;
const hourLater = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR);
const hourText = (hours: number): string => `${hourLater(hours).toISOString().slice(0, 13)}:00:00.000Z`;

async function brandInUse() {
  const brand = await world.brand();
  const { token } = await ownerOfBrand(world, brand);
  const user = dashboard(token);
  const url = `/programs/${brand.program.id}`;
  return { ...brand, user, url, lastUsed: async () => (await user.get(url)).body.data.key_last_used_at };
}

const ask = (key: string, at: Date) => send(refund, { key, at, body: { transaction_id: 'never' } });

it('a program shows the hour in which its key was last used, which only the first request of each hour writes', async () => {
  const { key, user, url, lastUsed } = await brandInUse();
  const later = hourLater(3);
  await ask(key, later);
  await vi.waitFor(async () => expect(await lastUsed()).toBe(hourText(3)));
  const writes = (await sentCalls(async () => void (await ask(key, later)))).filter(
    ({ name }) => name === 'UpdateCommand',
  );
  expect(writes.filter(({ input }) => JSON.stringify(input).includes('lastUsedAt'))).toEqual([]);
  // A request with an earlier time that ends later.
  await ask(key, hourLater(2));
  const { key_rotated_at: rotatedAt, key_last_used_at: usedAt } = (await user.get(url)).body.data;
  expect({ rotatedAt, usedAt }).toEqual({ rotatedAt: NOW.toISOString(), usedAt: hourText(3) });
  const { data: listed } = (await user.get('/programs')).body;
  expect(listed).toMatchObject([{ key_rotated_at: NOW.toISOString(), key_last_used_at: hourText(3) }]);
});

it('a program key that was never used is shown as unused, and requests of the dashboard are not a use of the key', async () => {
  const brand = await brandInUse();
  await agentKeyOf(world, brand);
  const generated = (await brand.user.post(`${brand.url}/api-key`)).body.data.api_key;
  expect(await brand.lastUsed()).toBeNull();
  await send(askStatus, { method: 'GET', key: generated });
  await vi.waitFor(async () => expect(await brand.lastUsed()).toBe(hourText(0)));
});

it('a retired program key is refused, and the attempt is not recorded as a use', async () => {
  const brand = await brandInUse();
  await markKeyForRotation(world.deps(), brand.program.id, hourLater(1));
  expect((await ask(brand.key, hourLater(5))).status).toBe(401);
  expect((await world.items(keys.credential(sha256(brand.key)).pk))[0]).toMatchObject({ lastUsedAt: hourText(0) });
});

it('a request succeeds even if the use of its program key cannot be recorded', async () => {
  const { key, lastUsed } = await brandInUse();
  // Both counting writes fail: that of the rate window, and that of the key's use.
  const reply = await failingTimes(2, 'count', refused('InternalServerError'), () => ask(key, hourLater(1)));
  expect(reply.status).toBe(404);
  expect(await lastUsed()).toBe(hourText(0));
});
