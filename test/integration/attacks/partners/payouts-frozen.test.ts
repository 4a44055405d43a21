import { beforeEach, describe, expect, it } from 'vitest';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { memberOf, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { operated, operator } from '#test/support/callers/operator.ts';
import { statusesOf } from '#test/support/callers/request.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Tests of payouts that are requested while the owner or the operator has frozen payouts.

const FROZEN = platformError(409, 'Payouts of this workspace are frozen');
const DUE = new Date(HOLD_OVER.getTime() + 3_600_000);
/** Number of commissions that need more than one payout step. */
const MANY = 100;
const WORKSPACE = '/workspace';

let world: World;
let own: OwnedBrand;
/** A user who has just signed in. */
let owner: Dashboard;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
  const { account } = await ownerOfBrand(world, own);
  owner = dashboard((await signedInAs(world, account.email, DUE)).token);
});

const minutes = (n: number) => new Date(DUE.getTime() + n * 60_000);
const frozenLater = (payouts_frozen: boolean, at: Date) =>
  owner.patch(WORKSPACE, { payouts_frozen }, { at, isLeftAlone: true });
const set = (payouts_frozen: unknown, user = owner, at = DUE) => user.patch(WORKSPACE, { payouts_frozen }, { at });
const pay = (user = owner) => user.post(`${own.path}/payouts`, {}, { at: DUE });
const preview = async () => (await owner.post(`${own.path}/payouts/preview`, {}, { at: DUE })).body.data;
const frozenNow = async () => (await owner.get(WORKSPACE, { at: DUE })).body.data.payouts_frozen;
const payouts = async () => (await owner.get(`${own.path}/payouts`, { at: DUE })).body.data;
const changes = async () => {
  const { data } = (await owner.get('/workspace/audit', { at: DUE })).body;
  return (data as { action: string; target: object; changes: object }[])
    .filter(({ action }) => action === 'workspace.changed')
    .map(({ target, changes: changed }) => [target, changed]);
};
const byOperator = (what: 'freeze' | 'thaw') =>
  operated(world, `payouts ${what} --workspace ${own.program.workspaceId}`, DUE);

describe('a workspace with frozen payouts', () => {
  it('records no payout and returns no file, still shows previews, and pays everything after the freeze ends', async () => {
    await earned(own, 1);
    const first = (await pay()).body.data.id;
    await earned(own, 1);
    const later = new Date(DUE.getTime() + 20 * 86_400_000);
    const { workspace } = await ownerOfBrand(world, own);
    expect(await set(true)).toMatchObject({
      status: 200,
      body: {
        data: {
          id: workspace.id,
          name: workspace.name,
          role: 'owner',
          payouts_frozen: true,
          created_at: workspace.createdAt,
        },
      },
    });
    const before = await world.items(`PROGRAM#${own.program.id}`);
    expect((await pay()).body).toEqual(FROZEN);
    expect((await owner.get(`${own.path}/payouts/${first}.csv`, { at: DUE })).body).toEqual(FROZEN);
    expect(await world.items(`PROGRAM#${own.program.id}`)).toEqual(before);
    expect((await preview()).items).toMatchObject([{ amount_cents: 980 }]);
    expect((await owner.get(`${own.path}/payouts/${first}`, { at: DUE })).body.data.totals).toEqual({ USD: 980 });
    expect(await payouts()).toHaveLength(1);
    expect((await set(false, owner, minutes(1))).body.data.payouts_frozen).toBe(false);
    expect((await owner.get(`${own.path}/payouts/${first}.csv`, { at: DUE })).status).toBe(200);
    expect((await owner.post(`${own.path}/payouts`, {}, { at: later })).body.data.totals).toEqual({ USD: 980 });
    const target = { type: 'workspace', id: String(workspace.id), name: workspace.name, program_id: null };
    expect(await changes()).toEqual([
      [target, { payouts_frozen: { from: true, to: false } }],
      [target, { payouts_frozen: { from: false, to: true } }],
    ]);
  });

  it('refuses to mark payout lines as failed or void, but accepts that lines were sent before the freeze', async () => {
    await earned(own, 1);
    const { id } = (await pay()).body.data;
    const line = `${own.partner.id}-USD`;
    const change = (status: string) =>
      owner.post(`${own.path}/payouts/${id}/lines`, { ids: [line], status, reason: 'Wrong' }, { at: DUE });
    const statuses = async () =>
      (await owner.get(`${own.path}/payouts/${id}/lines`, { at: DUE })).body.data.map(
        (one: { status: string }) => one.status,
      );
    const overtaken = await failing(
      'write',
      overtakenBy(async () => expect((await set(true)).status).toBe(200)),
      () => change('void'),
    );
    const lost = { id: line, status: null, error: FROZEN.error.message };
    expect([overtaken.status, overtaken.body]).toEqual([200, { data: [lost] }]);
    expect(await statuses()).toEqual(['recorded']);
    const before = await world.items(`PAYOUT#${id}`);
    const stopped = await change('void');
    expect([stopped.status, stopped.body]).toEqual([409, FROZEN]);
    expect(await world.items(`PAYOUT#${id}`)).toEqual(before);
    expect((await change('sent')).body).toEqual({ data: [{ id: line, status: 'sent', error: null }] });
    expect((await change('failed')).body).toEqual(FROZEN);
    await set(false);
    expect((await change('failed')).body).toEqual({ data: [{ id: line, status: 'failed', error: null }] });
    expect((await preview()).items).toMatchObject([{ amount_cents: 980 }]);
  });

  it('shows its members that payouts are frozen, but only owners can freeze and unfreeze them', async () => {
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    for (const value of [true, false, 'x']) {
      expect((await member.patch(WORKSPACE, { payouts_frozen: value })).body).toEqual(
        platformError(403, 'Only a workspace owner can do this'),
      );
    }
    await set(true);
    expect((await member.get(WORKSPACE)).body.data).toMatchObject({ role: 'member', payouts_frozen: true });
  });

  it.each([undefined, null, 'true', 1, {}])('refuses %j as the value of payouts_frozen', async (value) => {
    expect((await set(value)).body).toEqual(platformError(400, 'payouts_frozen must be a boolean'));
    expect(await frozenNow()).toBe(false);
  });

  it('stays frozen if payouts are frozen again, without a second audit entry', async () => {
    expect(statusesOf([await set(true), await set(true)])).toEqual([200, 200]);
    expect(await changes()).toHaveLength(1);
  });

  it('can be frozen by an owner at any time, but unfrozen only within 15 minutes of signing in', async () => {
    // The owner's session starts now.
    await set(false);
    expect((await frozenLater(true, minutes(60))).status).toBe(200);
    expect((await frozenLater(false, new Date(minutes(15).getTime() + 1))).body).toEqual(
      platformError(403, 'Sign in again for this'),
    );
    expect(await frozenNow()).toBe(true);
    expect((await frozenLater(false, minutes(15))).status).toBe(200);
  });

  it('can be unfrozen only by the operator if the operator froze it', async () => {
    const { workspaceId } = own.program;
    await earned(own, 1);
    expect(await byOperator('freeze')).toEqual({ workspace_id: workspaceId, payouts_frozen: true });
    expect((await pay()).body).toEqual(FROZEN);
    expect((await set(true)).body.data.payouts_frozen).toBe(true);
    expect((await set(false)).body).toEqual(
      platformError(409, 'Payouts of this workspace were frozen by the operator'),
    );
    expect(await frozenNow()).toBe(true);
    expect(await byOperator('thaw')).toEqual({ workspace_id: workspaceId, payouts_frozen: false });
    expect((await pay()).status).toBe(200);
    // The operator's freeze replaces an owner's.
    await set(true);
    await byOperator('freeze');
    expect((await set(false)).status).toBe(409);
    expect((await operator(world, 'payouts freeze --workspace 999999', DUE)).error).toEqual(['Workspace not found']);
  });
});

describe('payouts that are frozen while a payout is being recorded', () => {
  it(
    'stop that payout before its next step; it continues after the freeze and pays each commission once',
    { tags: 'deep' },
    async () => {
      const ids = await earned(own, MANY);
      const frozen = overtakenBy(async () => expect((await set(true)).status).toBe(200));
      // The first step loses the race against the freeze, so no payout starts.
      expect((await failing('write', frozen, () => pay())).body).toEqual(FROZEN);
      expect(await payouts()).toEqual([]);
      await set(false);

      const [open, made] = await Promise.all([pay(), later(() => set(true))]);
      expect(made.status).toBe(200);
      // In any order, the payout is complete, not started, or open with the commissions that its steps have claimed.
      expect([undefined, FROZEN.error.message]).toContain(open.body.error?.message);
      expect((await pay()).body).toEqual(FROZEN);
      await set(false);
      await pay();
      const all = await payouts();
      expect(all).toMatchObject([{ status: 'made', totals: { USD: MANY * 980 } }]);
      const { items } = (await owner.get(`${own.path}/payouts/${all[0].id}`, { at: DUE })).body.data;
      expect(items).toMatchObject([{ commission_ids: ids }]);
      expect((await pay()).body).toEqual(platformError(409, 'No approved commissions to pay out'));
    },
  );

  it('leave that payout unfinished; the first request after the freeze completes it', { tags: 'deep' }, async () => {
    const ids = await earned(own, MANY);
    let writes = 0;
    const afterFirst = overtakenBy(async () => {
      writes += 1;
      expect((await set(true)).status).toBe(200);
    });
    const stopped = await failing('second write', afterFirst, () => pay());
    expect(stopped.body).toEqual(FROZEN);
    expect(writes).toBe(1);
    expect(await payouts()).toMatchObject([{ status: 'open' }]);
    expect((await pay()).body).toEqual(FROZEN);
    expect((await preview()).items).toMatchObject([{ amount_cents: MANY * 980 }]);
    await set(false);
    expect((await pay()).body.data).toMatchObject({ status: 'made', items: [{ commission_ids: ids }] });
    expect(await payouts()).toHaveLength(1);
  });
});

const later = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return run();
};
