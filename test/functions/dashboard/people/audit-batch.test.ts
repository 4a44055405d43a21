import { describe, expect, it } from 'vitest';
import type { AuditEntry, AuditItem } from '#lib/wire/people/audit.ts';
import { type Dashboard, dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { NOW } from '#test/support/callers/request.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { manyCommissions } from '#test/support/payments/many-commissions.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failing, refused, replyLost } from '#test/support/table/faults.ts';

// Tests of requests that decide many commissions and share an entry of the audit list.

const world = openedWorld();

const AUDIT = '/workspace/audit';
const batch = 'batch_of-kim1';
const later = new Date(NOW.getTime() + 60_000);

const decide = (own: OwnedBrand, ids: readonly number[], more: object = {}, by = own.owner, at = NOW) =>
  by.post(`${own.path}/commissions/approve`, { ids, batch, ...more }, { at });
const entriesOf = async (owner: Dashboard, query = ''): Promise<AuditEntry[]> =>
  (await owner.get(`${AUDIT}${query}`)).body.data;
const itemsOf = async (owner: Dashboard, { id }: AuditEntry): Promise<AuditItem[]> =>
  (await everyPage(owner, `${AUDIT}/${id}/items?limit=2`)).flat() as unknown as AuditItem[];
const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b).map(String);

describe('requests that approve or reject commissions and name the same batch', () => {
  it('leave one audit entry with the number, the sums and an item for each commission', async () => {
    const own = await ownedBrand(world);
    const dollars = await earned(own, 3);
    const euros = await earned(own, 2, { currency: 'EUR' });
    await decide(own, dollars);
    await decide(own, euros, {}, own.owner, later);
    const [entry, ...others] = await entriesOf(own.owner);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_[0-9a-z]{16}$/),
      at: NOW.toISOString(),
      actor: expect.objectContaining({ kind: 'account', name: 'owner' }),
      action: 'commission.approved',
      target: { type: 'program', id: String(own.program.id), name: own.program.name, program_id: own.program.id },
      count: 5,
      amounts: { USD: 2940, EUR: 1960 },
      changes: { status: { from: null, to: 'approved' } },
    });
    const items = await itemsOf(own.owner, entry!);
    expect(items.map(({ id }) => id)).toEqual(sorted([...dollars, ...euros]));
    expect(items[0]).toEqual({
      id: String(dollars[0]),
      name: expect.stringMatching(/^earned_/),
      amount_cents: 980,
      currency: 'USD',
    });
  });

  it('count nothing twice if a request is sent again', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 3);
    await decide(own, ids);
    expect((await decide(own, ids)).body.data.map(({ status }: { status: string }) => status)).toEqual(
      Array(3).fill('approved'),
    );
    expect(await entriesOf(own.owner)).toMatchObject([{ count: 3, amounts: { USD: 2940 } }]);
  });

  it.each([
    ['is refused', refused('InternalServerError')],
    ['loses its reply', replyLost],
  ])('count everything once if a write %s and the request is sent again', async (_, fault) => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 3);
    await failing('second write', fault, () => decide(own, ids));
    await decide(own, ids);
    const [entry, ...others] = await entriesOf(own.owner);
    expect([entry?.count, others]).toEqual([3, []]);
    expect((await itemsOf(own.owner, entry!)).map(({ id }) => id)).toEqual(sorted(ids));
  });

  it('count everything once if they run in parallel, even for the same commissions', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 12);
    const parts = [ids.slice(0, 6), ids.slice(3, 9), ids.slice(6), ids.slice(0, 6)];
    const replies = await Promise.all(parts.map((part) => decide(own, part)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [entry, ...others] = await entriesOf(own.owner);
    expect([entry?.count, entry?.amounts, others]).toEqual([12, { USD: 12 * 980 }, []]);
    expect((await itemsOf(own.owner, entry!)).map(({ id }) => id)).toEqual(sorted(ids));
  });

  it('leave separate audit entries for different people, actions, programs and batches', async () => {
    const own = await ownedBrand(world);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    const [one = 0, other = 0, third = 0, fourth = 0] = await earned(own, 4);
    const before = (await entriesOf(own.owner)).length;
    await decide(own, [one]);
    await decide(own, [other], {}, member);
    await decide(own, [third], { batch: 'another-batch' });
    await own.owner.post(`${own.path}/commissions/reject`, { ids: [fourth], reason: 'Fraud', batch });
    const entries = await entriesOf(own.owner);
    expect(entries.length - before).toBe(4);
    expect(entries.slice(0, 4).map(({ count }) => count)).toEqual([1, 1, 1, 1]);
    expect(entries.find(({ action }) => action === 'commission.rejected')).toMatchObject({
      changes: { status: { from: null, to: 'rejected' }, rejection_reason: { from: null, to: 'Fraud' } },
    });
  });

  it('leave another audit entry for a commission that was reopened and decided again', async () => {
    const own = await ownedBrand(world);
    const ids = await earned(own, 2);
    await decide(own, ids);
    await own.owner.post(`${own.path}/commissions/reopen`, { ids: [ids[0]], reason: 'Mistake', batch }, { at: later });
    await decide(own, ids, {}, own.owner, new Date(later.getTime() + 1_000));
    expect(
      (await entriesOf(own.owner, '?action=commission.approved')).map(({ count, target }) => [count, target.type]),
    ).toEqual([
      [1, 'commission'],
      [2, 'program'],
    ]);
  });

  it('leave no audit entry if they approved or rejected nothing', async () => {
    const own = await ownedBrand(world);
    await decide(own, [0]);
    expect(await entriesOf(own.owner)).toEqual([]);
  });

  it('leave one audit entry for a thousand commissions', { tags: ['deep'], timeout: 120_000 }, async () => {
    const own = await ownedBrand(world);
    const ids = await manyCommissions(world, own.program.id, own.partner.id, 1_000, (n) => `thousand ${n}`, {
      holdUntil: HOLD_OVER.toISOString(),
    });
    const took: number[] = [];
    for (let at = 0; at < ids.length; at += 100) {
      const begun = performance.now();
      const { body } = await decide(own, ids.slice(at, at + 100));
      expect(body.data.filter(({ error }: { error: unknown }) => error !== null)).toEqual([]);
      took.push(performance.now() - begun);
    }
    console.log(`100 commissions of a batch: ${Math.max(...took).toFixed(0)} ms at most`);
    const [entry, ...others] = await entriesOf(own.owner);
    expect([entry?.count, entry?.amounts, others]).toEqual([1_000, { USD: 100_000 }, []]);
    expect(await everyPage(own.owner, `${AUDIT}/${entry!.id}/items?limit=100`)).toHaveLength(10);
  });
});

it.each(['short', 'x'.repeat(65), 'with space', 7])(
  'a request to approve commissions is refused with 400 for the batch id %j',
  async (wrong) => {
    const own = await ownedBrand(world);
    const [id = 0] = await earned(own, 1);
    const message = 'batch must be 8 to 64 letters, digits, - or _';
    expect(await decide(own, [id], { batch: wrong })).toMatchObject({ status: 400, body: platformError(400, message) });
    expect(await entriesOf(own.owner)).toEqual([]);
  },
);

describe('GET /workspace/audit/{entry_id}/items', () => {
  it('returns the one object that an entry without a batch is about, and its amount', async () => {
    const own = await ownedBrand(world);
    const [id = 0] = await earned(own, 1);
    await own.owner.patch(own.path, { name: 'Better' });
    await own.owner.post(`${own.path}/commissions/${id}/approve`, {}, { at: later });
    const [approval, rename] = await entriesOf(own.owner);
    expect([approval, rename]).toMatchObject([
      { count: 1, amounts: { USD: 980 } },
      { count: 1, amounts: {} },
    ]);
    expect(await itemsOf(own.owner, approval!)).toEqual([
      { id: String(id), name: null, amount_cents: 980, currency: 'USD' },
    ]);
    expect(await itemsOf(own.owner, rename!)).toEqual([
      { id: String(own.program.id), name: own.program.name, amount_cents: null, currency: null },
    ]);
  });

  it('answers 404 for an unknown entry and for an entry of another workspace', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    await other.owner.patch(other.path, { name: 'Elsewhere' });
    const [foreign] = await entriesOf(other.owner);
    for (const id of [foreign!.id, 'aud_0000000000000000', 'nothing']) {
      expect(await own.owner.get(`${AUDIT}/${id}/items`)).toMatchObject({
        status: 404,
        body: platformError(404, 'Entry not found'),
      });
    }
  });

  it('answers 403 for a member', async () => {
    const own = await ownedBrand(world);
    await own.owner.patch(own.path, { name: 'Better' });
    const [entry] = await entriesOf(own.owner);
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    expect((await member.get(`${AUDIT}/${entry!.id}/items`)).status).toBe(403);
  });
});

describe('the filters of the audit list', () => {
  it('select entries by author, action, object and program', async () => {
    const own = await ownedBrand(world);
    const [one = 0, other = 0] = await earned(own, 2);
    await own.owner.patch(own.path, { name: 'Better' });
    await decide(own, [one], {}, own.owner, later);
    await own.owner.post(`${own.path}/commissions/${other}/approve`, {}, { at: later });
    const accountId = own.actor.slice('account:'.length);
    const actionsOf = async (query: string) =>
      (await everyPage(own.owner, `${AUDIT}?limit=1&${query}`)).flat().map(({ action }) => action);
    const both = ['commission.approved', 'commission.approved'];
    expect(await actionsOf(`actor_id=${accountId}`)).toEqual([...both, 'program.changed']);
    expect(await actionsOf('actor_id=999999')).toEqual([]);
    expect(await actionsOf('action=program.changed')).toEqual(['program.changed']);
    expect(await actionsOf('target_type=commission')).toEqual(both);
    expect(await actionsOf(`target_type=commission&target_id=${one}`)).toEqual(['commission.approved']);
    expect(await actionsOf(`target_type=commission&target_id=${other}`)).toEqual(['commission.approved']);
    expect(await actionsOf(`program_id=${own.program.id}`)).toEqual([...both, 'program.changed']);
    expect(await actionsOf('program_id=999999')).toEqual([]);
    expect(await actionsOf('program_id=x')).toEqual([]);
  });

  it.each([
    ['an empty text', ''],
    ['a space', ' '],
    ['a very long text', 'x'.repeat(2_000)],
    ['a control character', '\u0000'],
  ])('find no entry, even if there are batches, for %s as the object', async (_, target) => {
    const own = await ownedBrand(world);
    await decide(own, await earned(own, 1), {}, own.owner, later);
    for (const list of [AUDIT, '/workspace/audit.csv']) {
      const { status, body } = await own.owner.get(`${list}?target_id=${encodeURIComponent(target)}`);
      expect([status, body.data ?? []]).toEqual([200, []]);
    }
  });

  it('find a change behind 700 other entries, page by page', async () => {
    const own = await ownedBrand(world);
    await own.owner.patch(own.path, { name: 'First' });
    const { table } = world.deps();
    const entry = (await world.items(`AUDIT#${own.program.workspaceId}`))[0]!;
    for (let n = 0; n < 700; n++) {
      const at = new Date(NOW.getTime() + 1_000 + n).toISOString();
      const key = { pk: String(entry.pk), sk: `${at}#aud_${n}` };
      await table.put(key, { ...entry, ...key, id: `aud_${n}`, at, action: 'program.key_generated' });
    }
    const pages = await everyPage(own.owner, `${AUDIT}?action=program.changed`);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toMatchObject([{ changes: { name: { to: 'First' } } }]);
  });

  it.each([
    ['action', 'nothing'],
    ['target_type', 'nobody'],
  ])('answer 400 for an unknown %s', async (name, value) => {
    const own = await ownedBrand(world);
    const { status, body } = await own.owner.get(`${AUDIT}?${name}=${value}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(`Invalid ${name}: ${value}`)]);
  });
});
