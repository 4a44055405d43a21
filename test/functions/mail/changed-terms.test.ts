import { beforeEach, describe, expect, it } from 'vitest';
import { handler as everyMinute } from '#functions/schedule/outbox.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { makeMails } from '#lib/service/outbox/mail/make-mails.ts';
import { accepted, programOf } from '#test/support/programs/candidates.ts';
import { dyingAt, failingNth } from '#test/support/table/each-call.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';

const { world, mailbox, pump } = await openMailWorld();
beforeEach(async () => {
  await pump.run();
  mailbox.answer();
});

/** 15:00 UTC plus these minutes. */
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const MIDNIGHT = 9 * 60;

/** Runs the schedule and the consumer at a time. @returns what the mails say that were sent, by address */
async function toldAt(minutes: number) {
  mailbox.answer();
  await everyMinute({ time: at(minutes).toISOString() });
  await pump.run();
  return mailbox.received
    .filter(({ tags }) => tags.kind === 'commission_terms_changed')
    .map(({ to, text }) => ({
      to,
      until: /Until now: (.*)/.exec(text)?.[1],
      from: /From now on: (.*)/.exec(text)?.[1],
    }))
    .toSorted((one, other) => (one.to < other.to ? -1 : 1));
}

const offer = (rate: number) => `${rate}% of each sale, renewals excluded. Commissions wait 15 days for refunds.`;
const told = (to: string, until: number, from: number) => ({ to, until: offer(until), from: offer(from) });
const terms = (rate: number) => ({ commission_type: 'percent', commission_rate: rate });

async function programWithPartners(count = 2) {
  const program = await programOf(world);
  const people = [];
  for (let n = 0; n < count; n++) people.push(await program.person());
  await pump.run();
  const rate = async (commission_rate: number, minutes: number) => {
    const { status } = await program.user.patch(program.url, { commission_rate }, { at: at(minutes) });
    if (status !== 200) throw new Error(String(status));
  };
  const personal = (partnerId: number, wanted: object | null, minutes: number) =>
    program.user.patch(`${program.url}/partners/${partnerId}`, { terms: wanted }, { at: at(minutes) });
  return { ...program, people, rate, personal };
}

describe('a change of commission terms', () => {
  it('is mailed to each partner ten minutes after the last change, in words, with the former and the new terms', async () => {
    const { rate, people, add, url, listed } = await programWithPartners();
    // Neither a person who was added and has not accepted nor an invited one gets a mail.
    await add('stranger@terms.test');
    await listed();
    await rate(25, 1);
    await rate(30, 8);
    expect(await toldAt(11)).toEqual([]);
    expect(await toldAt(17)).toEqual([]);
    const [first] = await toldAt(18);
    const addresses = people.map(({ account }) => account.email).toSorted();
    expect(first).toEqual(told(addresses[0]!, 20, 30));
    expect(mailbox.received).toHaveLength(2);
    const mail = mailbox.received.find(({ to }) => to === addresses[1])!;
    expect(mail.subject).toMatch(/ has changed what you earn$/);
    expect(mail.text).toContain(`/partner${url}`);
    expect(mail.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(await toldAt(30)).toEqual([]);
  });

  it('is not mailed if the terms in the end equal the former ones, or if the partner’s own terms do not change', async () => {
    const { rate, people, personal } = await programWithPartners();
    const [ana, ben] = people;
    await rate(25, 1);
    await rate(20, 2);
    expect(await toldAt(30)).toEqual([]);
    await personal(ana!.partnerId, terms(40), 31);
    await personal(ana!.partnerId, null, 32);
    expect(await toldAt(60)).toEqual([]);
    await personal(ben!.partnerId, terms(40), 61);
    expect(await toldAt(71)).toEqual([told(ben!.account.email, 20, 40)]);
  });

  it('is mailed to a partner at most once a day; changes after that mail are mailed when the next day begins', async () => {
    const { rate, people, personal } = await programWithPartners();
    const [ana, ben] = people.map(({ account }) => account.email);
    const [anaId, benId] = people.map(({ partnerId }) => partnerId);
    await personal(anaId!, terms(30), 0);
    expect(await toldAt(10)).toEqual([told(ana!, 20, 30)]);
    // Ben gets his mail on the same day, Ana waits.
    await personal(benId!, terms(40), 60);
    await personal(anaId!, terms(35), 61);
    expect(await toldAt(71)).toEqual([told(ben!, 20, 40)]);
    // Ben gets back his former terms; his last mail said 40.
    await personal(benId!, null, 120);
    await rate(22, 121);
    expect(await toldAt(131)).toEqual([]);
    expect(await toldAt(MIDNIGHT - 1)).toEqual([]);
    expect(await toldAt(MIDNIGHT)).toEqual([told(ana!, 30, 35), told(ben!, 40, 22)].toSorted(byAddress));
    expect(await toldAt(MIDNIGHT + 1)).toEqual([]);
    await rate(20, MIDNIGHT + 60);
    expect(await toldAt(MIDNIGHT + 70)).toEqual([]);
    expect(await toldAt(MIDNIGHT + 24 * 60)).toEqual([told(ben!, 22, 20)]);
  });

  it('is not mailed if it was made after the day’s mail and was reverted before the day ended', async () => {
    const { rate } = await programWithPartners();
    await rate(30, 0);
    expect(await toldAt(10)).toHaveLength(2);
    await rate(40, 60);
    await rate(30, 120);
    expect(await toldAt(130)).toEqual([]);
    expect(await toldAt(MIDNIGHT)).toEqual([]);
  });

  it('is mailed to the members of a changed group and to partners who move between groups, but not to people who accept later', async () => {
    const { people, user, url, listed } = await programWithPartners();
    const [ana, ben] = people;
    const late = await listed();
    await user.post(`${url}/groups`, { name: 'Makers', terms: terms(25) });
    await user.patch(`${url}/partners/${ana!.partnerId}`, { group_id: 1 });
    expect(await toldAt(10)).toEqual([told(ana!.account.email, 20, 25)]);
    await user.patch(`${url}/partners/${ben!.partnerId}`, { group_id: 1 }, { at: at(24 * 60) });
    await user.patch(`${url}/groups/1`, { terms: terms(27) }, { at: at(24 * 60 + 1) });
    await user.patch(url, { commission_rate: 19 }, { at: at(24 * 60 + 2) });
    await accepted(late, url, at(24 * 60 + 3));
    const all = [told(ana!.account.email, 25, 27), told(ben!.account.email, 20, 27)];
    expect(await toldAt(24 * 60 + 12)).toEqual(all.toSorted(byAddress));
  });

  it('leads to one mail per partner if two owners change terms at the same moment', async () => {
    const { rate, people, personal, id } = await programWithPartners();
    await Promise.all([rate(30, 0), personal(people[0]!.partnerId, terms(40), 0), rate(31, 0)]);
    const mails = await toldAt(10);
    expect(mails).toHaveLength(2);
    expect(mails.find(({ to }) => to === people[0]!.account.email)).toEqual(told(people[0]!.account.email, 20, 40));
    const notice = await world.items(keys.termsNotice(id).pk);
    expect(notice.find(({ sk }) => sk === 'TERMS_NOTICE')).toEqual({
      ...keys.termsNotice(id),
      changedAt: NOW.toISOString(),
      notifiedOn: '2026-11-20',
    });
  });

  it(
    'is mailed once to each partner, even if any call of the scheduled function is interrupted',
    { tags: ['deep'] },
    async () => {
      const { rate, people } = await programWithPartners();
      const addresses = people.map(({ account }) => account.email).toSorted();
      let day = 0;
      for (const isLast of [false, true]) {
        let hasCalls = true;
        for (let n = 1; hasCalls; n++) {
          const start = ++day * 24 * 60;
          await rate(20 + (day % 2) * 10, start);
          const run = () => everyMinute({ time: at(start + 10).toISOString() });
          hasCalls = await dyingAt(n, isLast, run);
          const mails = await toldAt(start + 11);
          expect({ n, to: mails.map(({ to }) => to) }).toEqual({ n, to: addresses });
          expect(await toldAt(start + 30)).toEqual([]);
        }
      }
      expect(day).toBeGreaterThan(10);
    },
  );

  it('is not mailed in a sandbox', async () => {
    const { user } = await programOf(world);
    const sandbox = { name: 'Try', domain: 'try.test', ...terms(20), sandbox: true };
    const { id } = (await user.post('/programs', sandbox)).body.data;
    await user.patch(`/programs/${id}`, { commission_rate: 30 });
    const due = (await world.items(keys.dueMail('', '').pk)).filter(({ programId }) => programId === id);
    expect(due).toEqual([]);
  });

  it('is not mailed to a partner who has unsubscribed from mails', async () => {
    const { rate, people } = await programWithPartners(1);
    await portal(people[0]!.token).patch('/me', { mail: false });
    await rate(30, 0);
    expect(await toldAt(10)).toEqual([]);
  });
});

const byAddress = (one: { readonly to: string }, other: { readonly to: string }): number =>
  one.to < other.to ? -1 : 1;

/** More partners of the program, who have accepted. @returns their addresses */
async function manyPartners(programId: number, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => 5_000 + index);
  const joinedAt = new Date(NOW.getTime() - 1_000).toISOString();
  const writes = ids.flatMap((id) => [
    {
      name: 'partner',
      key: keys.partner(programId, id),
      put: {
        id,
        programId,
        name: `P ${id}`,
        email: `p${id}@brand.test`,
        accountId: id,
        status: 'active',
        links: [],
        joinedAt,
      },
    },
    { name: 'account', key: keys.account(id), put: { id, email: `p${id}@many.test`, name: `P ${id}` } },
  ]);
  for (let from = 0; from < writes.length; from += 100)
    await world.deps().table.transact(writes.slice(from, from + 100));
  return ids.map((id) => `p${id}@many.test`);
}

describe('the mails about changed terms of a large program', () => {
  it('are created in several steps; after an interruption at any call each partner still gets one mail', async () => {
    const { rate, id } = await programWithPartners(0);
    const addresses = await manyPartners(id, 250);
    await rate(30, 0);
    await everyMinute({ time: at(10).toISOString() });
    const mailing = mailIdOf({ kind: 'commission_terms_changed', fact: `${id} ${at(10).toISOString()}` });
    await pump.fresh();
    expect(await makeMails(world.deps(at(10)), mailing)).toBe(true);
    await failingNth(3, () => makeMails(world.deps(at(11)), mailing)).catch(() => undefined);
    mailbox.answer();
    // The schedule goes on where the mailing has stopped.
    await everyMinute({ time: at(25).toISOString() });
    await pump.run();
    expect(mailbox.received.map(({ to }) => to).toSorted()).toEqual(addresses.toSorted());
    expect(await toldAt(40)).toEqual([]);
  });

  it('tell each partner the same terms, even if the terms change again while the mails are created', async () => {
    const { rate, id } = await programWithPartners(0);
    const addresses = await manyPartners(id, 150);
    await rate(30, 0);
    await everyMinute({ time: at(10).toISOString() });
    const mailing = mailIdOf({ kind: 'commission_terms_changed', fact: `${id} ${at(10).toISOString()}` });
    await makeMails(world.deps(at(10)), mailing);
    await rate(40, 11);
    mailbox.answer();
    await pump.run();
    const words = mailbox.received.map(({ text }) => /From now on: (.*)/.exec(text)?.[1]);
    expect(words).toEqual(addresses.map(() => offer(30)));
    expect(await toldAt(21)).toEqual([]);
    expect(await toldAt(MIDNIGHT)).toEqual(addresses.toSorted().map((to) => told(to, 30, 40)));
  });
});
