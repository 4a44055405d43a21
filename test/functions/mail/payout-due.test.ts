import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/schedule/outbox.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { payoutHoldWrite } from '#lib/service/programs/payout-details/payout-details-items.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { earned, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { failingTransactionOf, refused, replyLost } from '#test/support/table/faults.ts';
import { NOW } from '#test/support/callers/request.ts';

// The mail to owners on the payout days of a program.

const { world, mailbox, pump } = await openMailWorld();
let own: OwnedBrand;
beforeEach(async () => {
  own = await ownedBrand(world);
  await pump.run();
  mailbox.answer();
});

/** The schedule runs each minute; the first run of a day is at its beginning. */
const runAt = async (time: string) => {
  await handler({ time: new Date(time).toISOString() });
  await pump.run();
};
const due = (of = [own]) =>
  mailbox.received.filter(
    ({ tags, text }) =>
      Object.values(tags).includes('payout_due') && of.some(({ path }) => text.includes(`${path}/payouts/new`)),
  );
const subjects = (of?: OwnedBrand[]) => due(of).map(({ subject }) => subject);
const set = (payoutDays: readonly number[], at = NOW) =>
  own.owner.patch(own.path, { payout_days: payoutDays, hold_period_days: 0 }, { at });
const scheduled = async () =>
  (await world.items('DUE_MAILS')).filter(
    (item) => item['kind'] === 'payout_due' && item['programId'] === own.program.id,
  );
const subjectOf = (day: string) => `${own.program.name}: payout day ${day}`;

describe('the mail on a payout day', () => {
  it('comes once to each owner, although the schedule runs every minute of that day', async () => {
    await set([25, 28]);
    await earned(own, 1);
    await runAt('2026-11-24T23:59:00Z');
    expect(subjects()).toEqual([]);
    for (const minute of ['00', '01', '02']) await runAt(`2026-11-25T00:${minute}:00Z`);
    expect(subjects()).toEqual([subjectOf('2026-11-25')]);
    await runAt('2026-11-28T00:00:00Z');
    expect(subjects()).toEqual([subjectOf('2026-11-25'), subjectOf('2026-11-28')]);
    expect(await scheduled()).toEqual([expect.objectContaining({ dueAt: '2026-12-25T00:00:00.000Z' })]);
  });

  it('comes once if two runs of the schedule run in parallel', async () => {
    await set([25]);
    await earned(own, 1);
    await Promise.all([1, 2, 3].map(() => handler({ time: '2026-11-25T00:00:00.000Z' })));
    await pump.run();
    expect(subjects()).toEqual([subjectOf('2026-11-25')]);
  });

  it.each([
    ['the reply of the write is lost', replyLost],
    ['the write fails', refused('InternalServerError')],
  ])('comes once, even if in the first run of that day %s', async (_, fault) => {
    await set([25]);
    await earned(own, 1);
    await failingTransactionOf('DUE_MAILS', fault, () => handler({ time: '2026-11-25T00:00:00.000Z' })).catch(
      () => undefined,
    );
    await runAt('2026-11-25T00:01:00Z');
    expect(subjects()).toEqual([subjectOf('2026-11-25')]);
    expect(await scheduled()).toHaveLength(1);
  });

  it('comes on the same day if an owner adds that day to the payout days, but not twice if the day is removed and added again', async () => {
    await earned(own, 1);
    await own.owner.patch(own.path, { hold_period_days: 0, payout_days: [20] });
    await earned(own, 1);
    await runAt('2026-11-20T15:01:00Z');
    await set([], new Date('2026-11-20T15:02:00Z'));
    await set([20], new Date('2026-11-20T15:03:00Z'));
    await runAt('2026-11-20T15:04:00Z');
    expect(subjects()).toEqual([subjectOf('2026-11-20')]);
    expect(await scheduled()).toEqual([expect.objectContaining({ dueAt: '2026-12-20T00:00:00.000Z' })]);
  });

  it('tells the owner that payouts are frozen, if they are', async () => {
    await set([25]);
    await earned(own, 1);
    await own.owner.patch('/workspace', { payouts_frozen: true });
    await runAt('2026-11-25T00:00:00Z');
    expect(due().map(({ text }) => text.includes('frozen'))).toEqual([true]);
  });
});

describe('no mail about a payout day is sent', () => {
  it('if no partner is owed anything; the next payout day is still scheduled', async () => {
    await set([25]);
    await runAt('2026-11-25T00:00:00Z');
    expect(subjects()).toEqual([]);
    expect(await scheduled()).toEqual([expect.objectContaining({ dueAt: '2026-12-25T00:00:00.000Z' })]);
  });

  it('if everything that is due is below the minimum payout or on hold', async () => {
    await own.owner.patch(own.path, { minimum_payout_cents: 100_000 });
    await set([25]);
    await earned(own, 1);
    await runAt('2026-11-25T00:00:00Z');
    await own.owner.patch(own.path, { minimum_payout_cents: 0 });
    const hold = { addressHeldUntil: '2026-12-26T00:00:00.000Z' };
    await world
      .deps()
      .table.transact([payoutHoldWrite({ programId: own.program.id, partnerId: own.partner.id }, hold)]);
    await runAt('2026-12-25T00:00:00Z');
    expect(subjects()).toEqual([]);
  });

  it('for a day that was removed from the payout days', async () => {
    await set([25]);
    await set([26]);
    await earned(own, 1);
    await runAt('2026-11-25T00:00:00Z');
    expect(subjects()).toEqual([]);
    await runAt('2026-11-26T00:00:00Z');
    expect(subjects()).toEqual([subjectOf('2026-11-26')]);
    expect(await scheduled()).toHaveLength(1);
  });

  it('for a day that was missed and is over, for instance after a restore', async () => {
    await set([25, 27]);
    await earned(own, 1);
    await runAt('2026-11-26T08:00:00Z');
    expect(subjects()).toEqual([]);
    await runAt('2026-11-27T00:00:00Z');
    expect(subjects()).toEqual([subjectOf('2026-11-27')]);
  });

  it('for a sandbox, which pays nothing', async () => {
    const fields = { name: 'Try', domain: 'try.test', commission_type: 'percent', commission_rate: 20 };
    const { body } = await own.owner.post('/programs', { ...fields, sandbox: true, payout_days: [25] });
    expect((await world.items('DUE_MAILS')).filter((item) => item['programId'] === body.data.id)).toEqual([]);
    const real = await own.owner.post('/programs', { ...fields, payout_days: [25] });
    expect((await world.items('DUE_MAILS')).filter((item) => item['programId'] === real.body.data.id)).toHaveLength(1);
  });
});

it('a failure with the payout-day mail of one program does not stop the mails of the following programs', async () => {
  await set([25]);
  await earned(own, 1);
  const other = own;
  own = await ownedBrand(world);
  await set([25]);
  await earned(own, 1);
  const at = { time: '2026-11-25T00:00:00.000Z' };
  const { pk } = keys.mailing(mailIdOf({ kind: 'payout_due', fact: `${other.program.id} 2026-11-25` }));
  const run = failingTransactionOf(pk, refused('InternalServerError'), () => handler(at));
  await expect(run).rejects.toThrow('InternalServerError');
  await pump.run();
  expect(subjects([other, own])).toEqual([subjectOf('2026-11-25')]);
  await runAt('2026-11-25T00:01:00Z');
  expect(subjects([other, own]).toSorted()).toEqual(
    [other, own].map(({ program }) => `${program.name}: payout day 2026-11-25`).toSorted(),
  );
});
