import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/schedule/outbox.ts';
import { schedules } from '#infra/routes.ts';
import type { DigestRow } from '#lib/service/people/mail/owner-digest.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { digestRowWrite, dueDigest } from '#lib/service/people/mail/digests-items.ts';
import { dueMailWrite } from '#lib/service/people/mail/due-mails-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { actionsOf, sentCalls } from '#test/support/servers/sent-calls.ts';
import type { Brand } from '#test/support/programs/world.ts';

const { world, mailbox, pump } = await openMailWorld();
let brand: Brand;
let workspaceId: number;
beforeEach(async () => {
  brand = await world.brand();
  ({ workspaceId } = brand.program);
  await pump.run();
  mailbox.answer();
});

const day = '2026-11-20';
const runAt = (time: string) => handler({ time });
const inTime = '2026-11-21T06:00:00.000Z';

let rows = 0;
/** Adds an entry to the daily digest, like an application. */
const leave = (row: Partial<DigestRow> = {}) =>
  world.deps().table.transact([
    digestRowWrite(
      { workspaceId, day, id: String(++rows) },
      {
        programId: brand.program.id,
        of: 'application',
        name: 'Ben',
        isQueued: false,
        ...row,
      },
    ),
    dueMailWrite(dueDigest(workspaceId, day)),
  ]);
const due = async () => (await world.items(keys.dueMail('', '').pk)).filter((one) => one.workspaceId === workspaceId);
const mailing = async () =>
  (await world.items(keys.mailing(mailIdOf({ kind: 'owner_digest', fact: `${workspaceId} ${day}` })).pk))[0];

describe('the daily mail to owners about applications and held commissions', () => {
  it('is sent to each owner once, at 06:00, by only one of several parallel runs of the schedule', async () => {
    const second = await memberOf(world, { id: workspaceId }, 'owner');
    await memberOf(world, { id: workspaceId });
    // Their invitations.
    await pump.run();
    mailbox.answer();
    await leave();
    await leave({ of: 'held' });
    await runAt('2026-11-21T05:59:59.999Z');
    await pump.run();
    expect(mailbox.received).toEqual([]);
    await Promise.all([1, 2, 3].map(() => runAt(inTime)));
    await pump.run();
    await runAt('2026-11-21T06:01:00.000Z');
    await pump.run();
    const founder = (await ownerOfBrand(world, brand)).account;
    expect(mailbox.received.map(({ to }) => to).toSorted()).toEqual([founder.email, second.account.email].toSorted());
    expect(mailbox.received.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => '1 application and 1 held commission wait for you'),
    );
    expect(await due()).toEqual([]);
  });

  it('is sent at the next run if the run at 06:00 was missed, and not a second time for events that come later', async () => {
    await leave();
    await runAt('2026-11-22T09:00:00.000Z');
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
    await leave();
    await runAt('2026-11-22T10:00:00.000Z');
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('is not sent if the programs that it would name no longer exist', async () => {
    await world.deps().table.transact([dueMailWrite(dueDigest(workspaceId, day))]);
    await leave({ programId: 999_999 });
    await runAt(inTime);
    expect([await due(), await mailing()]).toEqual([[], undefined]);
  });

  it('lists 50 programs, and says how many more there are', async () => {
    const { program } = brand;
    const others = Array.from({ length: 52 }, (_, n) => 500_000 + workspaceId * 100 + n);
    for (const id of others) {
      await world.replace({ ...keys.program(id), ...program, id });
      await leave({ programId: id });
    }
    await runAt(inTime);
    const { data } = (await mailing()) as { data: { programs: unknown[]; otherPrograms: number } };
    expect([data.programs.length, data.otherPrograms]).toEqual([50, 2]);
  });

  it('is sent once even if any one table call fails', async () => {
    for (let n = 1; ; n++) {
      brand = await world.brand();
      ({ workspaceId } = brand.program);
      await leave();
      await pump.run();
      mailbox.answer();
      const run = await failingNth(n, () =>
        runAt(inTime).then(
          () => 'ran',
          () => 'failed',
        ),
      );
      await runAt(inTime);
      await pump.run();
      expect({ n, kinds: mailbox.received.map(({ tags }) => tags.kind), due: await due() }).toEqual({
        n,
        kinds: ['owner_digest'],
        due: [],
      });
      if (run === undefined) break;
    }
  });

  it('needs only the table permissions of its function', async () => {
    await leave();
    const calls = await sentCalls(() => runAt(inTime));
    const allowed: readonly string[] = schedules[0].tableActions;
    expect(actionsOf(calls).filter((action) => !allowed.includes(action))).toEqual([]);
  });
});
