import { beforeEach, describe, expect, it } from 'vitest';
import { outbox as consumer } from '#infra/routes.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { makeMails } from '#lib/service/outbox/mail/make-mails.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { deliverOnce, openMailWorld } from '#test/support/outbox/mails.ts';
import { NOW } from '#test/support/callers/request.ts';
import { actionsOf, sentCalls } from '#test/support/servers/sent-calls.ts';
import type { Brand } from '#test/support/programs/world.ts';

const { world, mailbox, pump } = await openMailWorld();
let brand: Brand;
const joinedAt = NOW.toISOString();
beforeEach(async () => {
  brand = await world.brand();
  // Ana, whom the brand added, has accepted in the meantime.
  await world.replace({ ...keys.account(999), id: 999, email: 'ana@partners.test', name: 'Ana' });
  const ana = keys.partner(brand.program.id, brand.partner.id);
  await world.deps().table.update(ana, { set: { joinedAt, accountId: 999 } });
  await pump.fresh();
  mailbox.answer();
});

const addressOf = (number: number): string => `partner-${number}@partners.test`;

/** More partners of the program, each with an account of the same id. The brand's address is not the account's. */
async function partners(count: number, more: object = {}): Promise<string[]> {
  const { id: programId } = brand.program;
  const ids = Array.from({ length: count }, (_, index) => 1_000 + index);
  const email = 'written@brand.test';
  const writes = ids.flatMap((id) => [
    {
      name: 'partner',
      key: keys.partner(programId, id),
      put: { id, programId, name: `P ${id}`, email, accountId: id, status: 'active', links: [], joinedAt, ...more },
    },
    { name: 'account', key: keys.account(id), put: { id, email: addressOf(id), name: `P ${id}` } },
  ]);
  for (let at = 0; at < writes.length; at += 100) await world.deps().table.transact(writes.slice(at, at + 100));
  return ids.map(addressOf);
}

let versions = 1;
async function termsChanged(): Promise<string> {
  const { id: programId, name: programName } = brand.program;
  const version = ++versions;
  const told = { kind: 'terms_changed', fact: `${programId} ${version}` } as const;
  const data = { programId, programName, version };
  await world.deps().table.transact(mailWrites({ ...told, to: { activePartnersOf: programId }, data, now: NOW }));
  return mailIdOf(told);
}

const addressees = () => mailbox.received.map(({ to }) => to).toSorted();
const mailing = async (id: string) => (await world.items(keys.mailing(id).pk))[0];

describe('a mailing of new terms', () => {
  it('reaches every active partner once, even if creating the mails takes several steps', async () => {
    const others = await partners(120);
    const id = await termsChanged();
    const before = await mailing(id);
    await pump.run();
    expect(addressees()).toEqual(['ana@partners.test', ...others].toSorted());
    const { gsi1pk: _, gsi1sk: __, ...kept } = before!;
    expect(await mailing(id)).toEqual({ ...kept, status: 'made' });
  });

  it('does not reach people who are invited, have applied, left or were removed', async () => {
    for (const status of ['invited', 'applied', 'rejected', 'removed']) {
      await partners(3, { status });
      await termsChanged();
      await pump.run();
      expect(addressees()).toEqual(['ana@partners.test']);
      mailbox.answer();
    }
  });

  it('does not reach people whom the brand added and who have not accepted', async () => {
    await partners(3, { joinedAt: undefined });
    await termsChanged();
    await pump.run();
    expect(addressees()).toEqual(['ana@partners.test']);
  });

  it('does not reach people whose account is closing or closed', async () => {
    await partners(2);
    await world.replace({ ...keys.account(1_000), id: 1_000, email: addressOf(1_000), closingAt: NOW.toISOString() });
    await world.deps().table.transact([{ name: 'account', key: keys.account(1_001), remove: true }]);
    await termsChanged();
    await pump.run();
    expect(addressees()).toEqual(['ana@partners.test']);
  });

  it('is sent only once to an e-mail address that two accounts have', async () => {
    await partners(2);
    await world.replace({ ...keys.account(1_000), id: 1_000, email: addressOf(1_001), name: 'Former' });
    await termsChanged();
    await pump.run();
    expect(addressees()).toEqual(['ana@partners.test', addressOf(1_001)]);
  });

  it(
    'is sent once to an e-mail address that changes from one partner’s account to another’s between two steps',
    { tags: 'deep' },
    async () => {
      await partners(150);
      const id = await termsChanged();
      await makeMails(world.deps(), id);
      // The last partner's account gets the address of the first partner, which already has a mail.
      const last = keys.partner(brand.program.id, 999_999);
      await world.replace({ ...keys.account(999_999), id: 999_999, email: addressOf(1_000), name: 'Last' });
      await world.replace({
        ...last,
        id: 999_999,
        programId: brand.program.id,
        email: 'last@brand.test',
        accountId: 999_999,
        status: 'active',
        joinedAt,
      });
      await pump.run();
      expect(addressees().filter((to) => to === addressOf(1_000))).toHaveLength(1);
      expect(mailbox.received).toHaveLength(151);
    },
  );

  it('is sent once to each partner when two runs create its mails in parallel', { tags: 'deep' }, async () => {
    await partners(120);
    const id = await termsChanged();
    await Promise.allSettled([makeMails(world.deps(), id), makeMails(world.deps(), id)]);
    const records = await pump.fresh();
    await deliverOnce(records);
    await pump.run(records);
    expect(new Set(addressees()).size).toBe(121);
    expect(mailbox.received).toHaveLength(121);
  });

  it('is sent once to each partner when any single table call fails', { tags: 'deep' }, async () => {
    await partners(120);
    for (let n = 1; ; n++) {
      await termsChanged();
      mailbox.answer();
      const records = await pump.fresh();
      const done = await failingNth(n, () => deliverOnce(records));
      await pump.run(records);
      expect(mailbox.received).toHaveLength(121);
      expect(new Set(addressees()).size).toBe(121);
      if (done === undefined) break;
    }
  });
});

describe('a mail about a payout', () => {
  it('does not reach people whom the brand added and who have not accepted', async () => {
    await partners(1, { joinedAt: undefined });
    const { id: programId, name: programName } = brand.program;
    const items = [{ partnerId: 1_000, currency: 'USD', amountCents: 1, commissions: 1 }];
    await world.replace({ ...keys.payout(78), id: 78, programId, status: 'made', steps: 1, items });
    const data = { programId, programName, payoutId: 78 };
    const { table } = world.deps();
    await table.transact(mailWrites({ kind: 'payout_made', fact: '78', to: { paidIn: 78 }, data, now: NOW }));
    await pump.run();
    expect(mailbox.received).toEqual([]);
  });

  it('is sent once to each partner, with the amounts in all currencies', async () => {
    await partners(2);
    const { id: programId, name: programName } = brand.program;
    const items = [
      { partnerId: 1_000, currency: 'EUR', amountCents: 120, commissions: 1 },
      { partnerId: 1_000, currency: 'USD', amountCents: 980, commissions: 2 },
      { partnerId: 1_001, currency: 'USD', amountCents: 50, commissions: 1 },
    ];
    await world.replace({ ...keys.payout(77), id: 77, programId, status: 'made', steps: 1, items });
    const data = { programId, programName, payoutId: 77 };
    await world
      .deps()
      .table.transact(mailWrites({ kind: 'payout_made', fact: '77', to: { paidIn: 77 }, data, now: NOW }));
    await pump.run();
    const said = mailbox.received.map(({ to, subject }) => [to, subject]);
    expect(said).toEqual([
      [addressOf(1_000), `${programName} pays you 1.20 EUR and 9.80 USD`],
      [addressOf(1_001), `${programName} pays you 0.50 USD`],
    ]);
  });
});

describe('a mail to the owners of a workspace', () => {
  it('reaches the owners who have joined and are not suspended', async () => {
    const { id: programId, name: programName, workspaceId } = brand.program;
    const url = 'https://acme.test/hook';
    const workspace = (await world.items(keys.workspace(workspaceId).pk))[0]!;
    const joined = { role: 'owner', invitedAt: NOW.toISOString(), joinedAt: NOW.toISOString() };
    const account = (id: number, more: object = {}) =>
      world.replace({ ...keys.account(id), id, email: `owner-${id}@acme.test`, name: '', ...more });
    await Promise.all([account(901), account(902, { suspendedAt: NOW.toISOString() }), account(903)]);
    const members = [
      { ...joined, accountId: 901, email: 'former@acme.test' },
      { ...joined, accountId: 902, email: 'suspended@acme.test' },
      { ...joined, accountId: 903, email: 'member@acme.test', role: 'member' },
      { role: 'owner', email: 'invited@acme.test', invitedAt: NOW.toISOString() },
    ];
    await world.replace({ ...workspace, members });
    const data = { programId, programName, url, reason: 'It answered 410 Gone' };
    await world.deps().table.transact(
      mailWrites({
        kind: 'webhook_disabled',
        fact: `${programId} 5`,
        to: { ownersOf: workspaceId },
        data,
        now: NOW,
      }),
    );
    await pump.run();
    expect(addressees()).toEqual(['owner-901@acme.test']);
    expect(mailbox.received[0]!.headers).not.toHaveProperty('List-Unsubscribe');
  });
});

it('the function that creates the mails of a mailing needs only its table permissions', async () => {
  await termsChanged();
  const calls = await sentCalls(() => pump.run());
  expect(actionsOf(calls)).toEqual(consumer.tableActions.toSorted());
  expect(calls.every(({ input }) => input.IndexName === undefined)).toBe(true);
});
