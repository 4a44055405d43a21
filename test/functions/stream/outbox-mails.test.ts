import { beforeEach, describe, expect, it } from 'vitest';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { handler as schedule } from '#functions/schedule/outbox.ts';
import type { MailFact } from '#lib/service/people/mail/mail.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { deliverMail } from '#lib/service/outbox/mail/deliver-mail.ts';
import type { Log } from '#lib/service/ground/effects/log.ts';
import type { StoredMail } from '#lib/service/people/mail/mails-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { deliverOnce, openMailWorld } from '#test/support/outbox/mails.ts';
import { failingUpdateOf, failingTransactionOf, refused, replyLost } from '#test/support/table/faults.ts';
import { NOW } from '#test/support/callers/request.ts';

const { world, mailbox, pump } = await openMailWorld();
beforeEach(() => mailbox.answer());

const acme = { programId: 1, programName: 'Acme' };
let facts = 0;

/** Stores a fact with a mail to one person. */
async function told(email = 'ana@partners.test') {
  const fact: MailFact = {
    kind: 'partner_invited',
    fact: String(++facts),
    to: { email, name: 'Ana' },
    data: acme,
  };
  await world.deps().table.transact(mailWrites({ ...fact, now: NOW }));
  const id = mailIdOf(fact, email);
  return { id, pk: keys.mail(id).pk, item: async () => (await world.items(keys.mail(id).pk))[0] };
}

describe('a mail that waits in the table to be sent', () => {
  it('is sent once, marked as sent, and removed from the list of unsent mails', async () => {
    const { id, item } = await told();
    const before = await item();
    await pump.run();
    expect(mailbox.received).toEqual([
      {
        from: 'referrals@acme.test',
        to: 'ana@partners.test',
        subject: 'Become a partner of Acme',
        text: expect.stringContaining('Hello Ana,'),
        html: expect.stringContaining('Hello Ana,'),
        headers: {
          'X-Entity-Ref-ID': id,
          'List-Unsubscribe': expect.stringMatching(
            /^<https:\/\/track\.test\/api\/v1\/mail\/unsubscribe\?token=[\w-]{43}>$/,
          ),
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
        tags: { kind: 'partner_invited', mail: id },
      },
    ]);
    const { gsi1pk: _, gsi1sk: __, ...kept } = before!;
    expect(await item()).toEqual({ ...kept, status: 'sent', attempts: 1, endedAt: expect.any(String) });
  });

  it('is sent once, even if its stream record is delivered again or in parallel', async () => {
    await told();
    const record = await pump.fresh();
    expect(await Promise.all([deliverOnce(record), deliverOnce(record), deliverOnce(record)])).toEqual([1, 1, 1]);
    await deliverOnce(record);
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
  });

  it('waits, like the mails after it, until the schedule sends it, if SES answers 429; the stream is not delayed', async () => {
    const first = await told();
    const second = await told();
    const records = await pump.fresh();
    mailbox.answer(() => ({ status: 429, name: 'TooManyRequestsException' }));
    expect(await deliverOnce(records)).toBe(2);
    expect(await first.item()).toMatchObject({ status: 'waiting', gsi1pk: 'UNSENT_MAILS' });
    expect(await first.item()).not.toHaveProperty('attempts');
    expect(await second.item()).toMatchObject({ status: 'waiting' });
    mailbox.answer();
    await schedule({ time: new Date(NOW.getTime() + 60_000).toISOString() });
    expect(mailbox.received.map(({ tags }) => tags.mail)).toEqual([first.id, second.id]);
    expect(await deliverOnce(records)).toBe(2);
    await pump.run();
    expect(mailbox.received).toHaveLength(2);
  });

  it.each(['MessageRejected', 'BadRequestException'])(
    'is not sent again if SES refuses the mail with %s, and the mails after it are sent',
    async (name) => {
      const bad = await told('bad@partners.test');
      const good = await told();
      mailbox.answer(({ to }) => (to.startsWith('bad') ? { status: 400, name } : 'taken'));
      await pump.run();
      expect(await bad.item()).toMatchObject({ status: 'rejected' });
      expect(await bad.item()).not.toHaveProperty('gsi1pk');
      expect(mailbox.received.map(({ tags }) => tags.mail)).toEqual([good.id]);
    },
  );

  it.each([
    { status: 400, name: 'MessageRejected', message: 'Email address is not verified.' },
    { status: 403, name: 'AccessDeniedException' },
    { status: 404, name: 'NotFoundException' },
    { status: 400, name: 'SendingPausedException' },
  ])('waits until the schedule sends it if SES has a problem with the sender’s account: $name', async (answer) => {
    const { item } = await told();
    mailbox.answer(() => answer);
    expect(await deliverOnce(await pump.fresh())).toBe(1);
    mailbox.answer();
    // The stream does not deliver the record again, because the schedule sends the mail.
    await pump.run();
    expect(mailbox.received).toEqual([]);
    expect(await item()).toMatchObject({ status: 'waiting', gsi1pk: 'UNSENT_MAILS' });
    expect(await item()).not.toHaveProperty('attempts');
  });

  it.each([
    ['mail_postponed', { status: 403, name: 'AccessDeniedException' }],
    ['mail_rejected', { status: 400, name: 'MessageRejected' }],
  ])(
    'leaves a log line %s with the error’s name but not its text, which could contain an e-mail address',
    async (code, answer) => {
      const { id } = await told();
      mailbox.answer(() => ({ ...answer, message: 'ana@partners.test is refused' }));
      const lines: unknown[][] = [];
      const note = (...parts: unknown[]) => void lines.push(parts);
      const log: Log = { info: note, warn: note, error: note };
      const deps = { ...world.deps(), log };
      await deliverMail(deps, (await deps.table.get<StoredMail>(keys.mail(id)))!);
      expect(lines).toEqual([[code, { mail_id: id, reason: answer.name }]]);
      mailbox.answer();
      await pump.run();
    },
  );

  it.each(['no address', 'two@at@once.test x', 'ümlaut@partners.test', 'ana@partners.test,ben@partners.test'])(
    'is not sent to the e-mail address %s',
    async (email) => {
      const { item } = await told(email);
      await pump.run();
      expect(mailbox.received).toEqual([]);
      expect(await item()).toMatchObject({ status: 'rejected' });
    },
  );

  it('is sent to the ASCII form of an e-mail address with an internationalised domain', async () => {
    await told('ana@bücher.test');
    await pump.run();
    expect(mailbox.received).toMatchObject([{ to: 'ana@xn--bcher-kva.test' }]);
  });

  it('stays marked as being sent if no reply from SES arrives', async () => {
    const { item } = await told();
    mailbox.answer(() => 'lost');
    await pump.run();
    expect(await item()).toMatchObject({ status: 'sending', attempts: 1, gsi1pk: 'UNSENT_MAILS' });
    await pump.run();
    expect(mailbox.received).toHaveLength(1);
  });

  it('stays marked as being sent if SES answers 500', async () => {
    const { item } = await told();
    mailbox.answer(() => ({ status: 500, name: 'InternalFailure' }));
    await pump.run();
    expect(await item()).toMatchObject({ status: 'sending', attempts: 1 });
  });
});

describe('if the table fails while a mail is sent', () => {
  it('and the mail is not marked as being sent, SES gets it only when the record is delivered again', async () => {
    const { pk } = await told();
    const record = await pump.fresh();
    expect(await failingTransactionOf(pk, refused('InternalServerError'), () => deliverOnce(record))).toBe(0);
    expect(mailbox.received).toEqual([]);
    await pump.run(record);
    expect(mailbox.received).toHaveLength(1);
  });

  it('and only the reply about marking the mail is lost, the mail stays marked as being sent and is not sent', async () => {
    const { pk, item } = await told();
    const record = await pump.fresh();
    expect(await failingTransactionOf(pk, replyLost, () => deliverOnce(record))).toBe(0);
    await pump.run(record);
    expect(mailbox.received).toEqual([]);
    expect(await item()).toMatchObject({ status: 'sending', attempts: 1 });
  });

  it('after SES has accepted the mail, the mail is not sent again when its record is delivered again', async () => {
    const { pk, item } = await told();
    const record = await pump.fresh();
    expect(await failingUpdateOf(pk, refused('InternalServerError'), () => deliverOnce(record))).toBe(0);
    await pump.run(record);
    expect(mailbox.received).toHaveLength(1);
    expect(await item()).toMatchObject({ status: 'sending', attempts: 1 });
  });
});

describe('a stored mail that is invalid', () => {
  it.each([
    { name: 'of an unknown kind', item: { kind: 'birthday', to: { email: 'ana@partners.test' }, data: {} } },
    { name: 'without an e-mail address', item: { kind: 'partner_invited', data: acme } },
    { name: 'without data', item: { kind: 'partner_invited', to: { email: 'ana@partners.test' } } },
  ])('$name is skipped, and the mails after it are sent', async ({ name, item }) => {
    await world.replace({ ...keys.mail(name), id: name, status: 'waiting', ...item });
    const after = await told();
    await pump.run();
    expect(mailbox.received.map(({ tags }) => tags.mail)).toEqual([after.id]);
  });
});

it('no mail is sent if the installation has no sender address', async () => {
  const { item } = await told();
  const { MAIL_FROM } = process.env;
  process.env.MAIL_FROM = '';
  discardContainer();
  await pump.run();
  expect(mailbox.received).toEqual([]);
  expect(await item()).toMatchObject({ status: 'waiting' });
  Object.assign(process.env, { MAIL_FROM });
  discardContainer();
});
