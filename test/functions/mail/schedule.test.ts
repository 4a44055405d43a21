import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/schedule/outbox.ts';
import { schedules } from '#infra/routes.ts';
import { type MailFact, mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { clearKeyRotation } from '#lib/service/programs/keys/clear-key-rotation.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { failing, failingTransactionOf, failingUpdateOf, overtakenBy, refused } from '#test/support/table/faults.ts';
import { deliverOnce, openMailWorld } from '#test/support/outbox/mails.ts';
import { NOW } from '#test/support/callers/request.ts';
import { actionsOf, sentCalls } from '#test/support/servers/sent-calls.ts';
import type { Brand } from '#test/support/programs/world.ts';

const { world, mailbox, pump } = await openMailWorld();
let brand: Brand;
beforeEach(async () => {
  brand = await world.brand();
  mailbox.answer();
  await pump.run();
  mailbox.answer();
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The start time of a test. Each test starts later than the previous one. */
let start = NOW.getTime();
beforeEach(() => {
  start += 100 * DAY_MS;
});
const later = (minutes: number): Date => new Date(start + minutes * MINUTE_MS);
const runAt = (minutes: number) => handler({ time: later(minutes).toISOString() });

let facts = 0;
async function told() {
  const fact = {
    kind: 'partner_invited',
    fact: String(++facts),
    to: { email: 'ana@partners.test' },
    data: { programId: 1, programName: 'Acme' },
  } as const satisfies MailFact;
  await world.deps().table.transact(mailWrites({ ...fact, now: later(0) }));
  const { pk } = keys.mail(mailIdOf(fact, fact.to.email));
  return { pk, item: async () => (await world.items(pk))[0] };
}

describe('a mail for which it is unknown whether SES accepted the first attempt', () => {
  it('is sent once more within the hour with the same reference id, and never a third time', async () => {
    const { item } = await told();
    mailbox.answer(() => 'lost');
    await pump.run();
    await runAt(5);
    await runAt(15);
    expect(mailbox.received).toHaveLength(1);
    await runAt(30);
    expect(mailbox.received).toHaveLength(2);
    const [first, second] = mailbox.received;
    expect(second!.headers['X-Entity-Ref-ID']).toBe(first!.headers['X-Entity-Ref-ID']);
    for (const minutes of [45, 60, 75, 90]) await runAt(minutes);
    expect(mailbox.received).toHaveLength(2);
    expect(await item()).toMatchObject({ status: 'failed', attempts: 2 });
    expect(await item()).not.toHaveProperty('gsi1pk');
  });

  it('is sent only once more if the result of the first attempt could not be stored', async () => {
    const { pk, item } = await told();
    await failingUpdateOf(pk, refused('InternalServerError'), async () => deliverOnce(await pump.fresh()));
    await runAt(15);
    await runAt(30);
    await runAt(45);
    expect(mailbox.received).toHaveLength(2);
    expect(await item()).toMatchObject({ status: 'sent', attempts: 2 });
  });

  it('is sent again by only one of two parallel runs of the schedule', async () => {
    await told();
    mailbox.answer(() => 'lost');
    await pump.run();
    mailbox.answer();
    await Promise.all([runAt(15), runAt(15)]);
    await Promise.all([runAt(30), runAt(30)]);
    expect(mailbox.received).toHaveLength(1);
  });
});

it.each(['taken', 'lost'] as const)(
  'a mail is sent once or twice when any one table call fails and SES has %s the first message',
  async (answer) => {
    for (let n = 1; ; n++) {
      start += DAY_MS;
      const { item } = await told();
      mailbox.answer(() => answer);
      const records = await pump.fresh();
      const delivered = await failingNth(n, () => deliverOnce(records));
      const sentFirst = mailbox.received.length;
      mailbox.answer();
      await pump.run(records);
      for (const minutes of [15, 30, 45, 60]) await runAt(minutes);
      expect({ n, status: (await item())!.status }).toEqual({ n, status: 'sent' });
      const sent = sentFirst + mailbox.received.length;
      expect(sent).toBeGreaterThanOrEqual(1);
      expect(sent).toBeLessThanOrEqual(2);
      if (delivered === undefined) break;
    }
  },
);

describe('a mail that is not sent yet', () => {
  it('is sent by the schedule after a minute, if no other sender has sent the mail', async () => {
    const { item } = await told();
    await pump.fresh();
    await runAt(0.9);
    expect(mailbox.received).toEqual([]);
    await runAt(1);
    expect(await item()).toMatchObject({ status: 'sent' });
    expect(mailbox.received).toHaveLength(1);
  });

  it('is tried again for three days while SES denies access, and then given up', async () => {
    const { item } = await told();
    mailbox.answer(() => ({ status: 403, name: 'AccessDeniedException' }));
    await pump.run();
    await runAt(15);
    mailbox.answer();
    await runAt(29.9);
    expect(mailbox.received).toEqual([]);
    mailbox.answer(() => ({ status: 403, name: 'AccessDeniedException' }));
    await runAt(30);
    await runAt(3 * 24 * 60);
    expect(await item()).toMatchObject({ status: 'waiting' });
    mailbox.answer();
    await runAt(3 * 24 * 60 + 1);
    expect(mailbox.received).toEqual([]);
    expect(await item()).toMatchObject({ status: 'late' });
  });

  it('ends a run of the schedule if SES limits the rate; the next run sends this mail and the mails behind it', async () => {
    await told();
    await told();
    await pump.fresh();
    let calls = 0;
    mailbox.answer(() => {
      calls += 1;
      return { status: 429, name: 'TooManyRequestsException' };
    });
    await runAt(15);
    expect(calls).toBe(1);
    mailbox.answer();
    await runAt(30);
    expect(mailbox.received).toHaveLength(2);
  });

  it('is sent on time even if another mail fails', async () => {
    const { pk } = await told();
    await told();
    await pump.fresh();
    await failingTransactionOf(pk, refused('InternalServerError'), () => runAt(15));
    expect(mailbox.received).toHaveLength(1);
    await runAt(30);
    expect(mailbox.received).toHaveLength(2);
  });
});

it('the schedule continues a mailing whose stream record was lost, and gives it up after three days', async () => {
  const { id: programId, name: programName } = brand.program;
  const set = { joinedAt: NOW.toISOString(), accountId: 901 };
  await world.replace({ ...keys.account(901), id: 901, email: 'ana@partners.test', name: 'Ana' });
  await world.deps().table.update(keys.partner(programId, brand.partner.id), { set });
  const to = { activePartnersOf: programId };
  const changed = (version: number) =>
    ({
      kind: 'terms_changed',
      fact: `${programId} ${version}`,
      to,
      data: { programId, programName, version },
    }) as const;
  const made = changed(2);
  await world.deps().table.transact(mailWrites({ ...made, now: later(0) }));
  await pump.fresh();
  await runAt(15);
  await pump.run();
  expect(mailbox.received.map(({ tags }) => tags.kind)).toEqual(['terms_changed']);
  const late = changed(3);
  await world.deps().table.transact(mailWrites({ ...late, now: later(0) }));
  await pump.fresh();
  await runAt(4 * 24 * 60);
  const items = await Promise.all([made, late].map((fact) => world.items(keys.mailing(mailIdOf(fact)).pk)));
  expect(items.flat()).toMatchObject([{ status: 'made' }, { status: 'failed' }]);
  expect(items.flat().filter((item) => 'gsi1pk' in item)).toEqual([]);
});

const deadline = (days: number) => new Date(start + days * DAY_MS);
const mark = (days: number) => markKeyForRotation(world.deps(later(0)), brand.program.id, deadline(days));
const subjects = () => mailbox.received.map(({ subject }) => subject);
const subject = (days: number) =>
  `The API key of ${brand.program.name} works until ${deadline(days).toISOString().slice(0, 10)}`;
const inDays = (days: number) => runAt(days * 24 * 60);
const due = () => world.items(keys.dueMail('', '').pk);
const replace = () => generateProgramKey(world.deps(later(1)), brand.program.id);

describe('a program key that is marked for rotation', () => {
  it('leads to mails to the owners when it is marked, and seven days and one day before the deadline', async () => {
    await mark(10);
    await mark(10);
    await pump.run();
    expect(subjects()).toEqual([subject(10)]);
    await inDays(2.9);
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
    await Promise.all([inDays(3), inDays(3)]);
    await inDays(3.1);
    await pump.run();
    expect(mailbox.received).toHaveLength(2);
    await inDays(9);
    await pump.run();
    expect(subjects()).toEqual([subject(10), subject(10), subject(10)]);
    expect(mailbox.received.every(({ to }) => /^owner@brand\d+\.test$/.test(to))).toBe(true);
    expect(await due()).toEqual([]);
  });

  it('leads to a mail only when it is marked, if the deadline is less than a day away', async () => {
    await mark(0.5);
    expect(await due()).toEqual([]);
    await pump.run();
    expect(subjects()).toEqual([subject(0.5)]);
  });

  it.each([
    ['replaced', replace],
    ['unmarked', () => clearKeyRotation(world.deps(later(1)), brand.program.id)],
  ])('leads to no further mail once the key was %s', async (_, change) => {
    await mark(10);
    await pump.run();
    await change();
    await inDays(3);
    await inDays(9);
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('leads to no mail when the key is replaced while the schedule runs', async () => {
    await mark(10);
    await pump.run();
    await failing('write', overtakenBy(replace), () => inDays(3));
    await inDays(9);
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('leads to mails for the later deadline if it is marked twice, and to none after that deadline', async () => {
    await mark(10);
    await markKeyForRotation(world.deps(later(1)), brand.program.id, deadline(20));
    await pump.run();
    expect(subjects()).toEqual([subject(10), subject(20)]);
    await inDays(9);
    await pump.run();
    expect(mailbox.received).toHaveLength(2);
    await inDays(21);
    await pump.run();
    expect(mailbox.received).toHaveLength(2);
    expect(await due()).toEqual([]);
  });
});

it('the scheduled function for mails uses each of its table permissions, and needs no others', async () => {
  await told();
  mailbox.answer(() => 'lost');
  await pump.run();
  await markKeyForRotation(world.deps(later(0)), brand.program.id, new Date(start + 10 * DAY_MS));
  await pump.fresh();
  const calls = await sentCalls(async () => {
    await runAt(15);
    await runAt(3 * 24 * 60);
  });
  expect(actionsOf(calls)).toEqual(schedules[0].tableActions.toSorted());
});
