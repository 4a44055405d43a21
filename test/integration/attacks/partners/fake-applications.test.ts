import { beforeEach, describe, expect, it } from 'vitest';
import { handler as everyMinute } from '#functions/schedule/outbox.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { openMailWorld } from '#test/support/outbox/mails.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, statusesOf } from '#test/support/callers/request.ts';

const { world, mailbox, pump } = await openMailWorld();
beforeEach(async () => {
  await pump.run();
  mailbox.answer();
});

let networks = 0;
/** An address in a network without other applicants. */
const ownNetwork = () => `192.${++networks >> 8}.${networks & 255}.7`;
let fakes = 0;
const fakeOf = (domain: string) => `fake${++fakes}@${domain}`;

async function apply(programId: number, email: string, ip: string, at = NOW) {
  const { token } = await signedInAs(world, email, at);
  return portal(token).post(`/join/${programId}`, { message: email }, { at, ip });
}

/** @param from the network and domain of each applicant */
async function flood(programId: number, count: number, from: (n: number) => { email: string; ip: string }) {
  const replies = [];
  for (let n = 0; n < count; n += 20) {
    const some = Array.from({ length: Math.min(20, count - n) }, (_, at) => from(n + at));
    replies.push(...(await Promise.all(some.map(({ email, ip }) => apply(programId, email, ip)))));
  }
  return replies;
}

interface Row {
  readonly id: number;
  readonly email: string;
  readonly application: { readonly message: string; readonly queued: boolean };
}
const isQueued = ({ application }: Row) => application.queued;
/** A time one second after the flood. */
const later = new Date(NOW.getTime() + 1_000);
const digestAt = new Date('2026-11-21T06:00:00.000Z');

describe.each([
  ['one network', () => ({ email: fakeOf(`${newAddress('').split('@')[0]}.test`), ip: `203.0.113.${fakes % 250}` })],
  ['one mail domain', () => ({ email: fakeOf('fakes.test'), ip: ownNetwork() })],
])('100 fake applications from %s', (_, from) => {
  it(
    'are all accepted, and the owner’s list shows the honest application that came later at place 11',
    { tags: 'deep' },
    async () => {
      const { id, url, user, owner, brand, row, program } = await programOf(world, { join: 'apply' });
      const replies = await flood(id, 100, from);
      expect(new Set(statusesOf(replies))).toEqual(new Set([200]));
      const honest = `honest${id}@brand-new.test`;
      expect((await apply(id, honest, ownNetwork(), later)).body).toEqual({ data: { status: 'applied' } });

      const rows = async (query: string) =>
        (await everyPage(user, `${url}/partners?${query}`)).flat() as unknown as Row[];
      const listed = await rows('status=applied&limit=30');
      expect(listed).toHaveLength(101);
      expect(listed.slice(0, 11).map(isQueued)).toEqual(Array.from({ length: 11 }, () => false));
      expect(listed[10]).toMatchObject({ email: honest, application: { message: honest, queued: false } });
      expect(listed.slice(11).every(isQueued)).toBe(true);
      const ofQueue = await rows('status=applied&queued=true&limit=30');
      expect(ofQueue.map(({ id: one }) => one)).toEqual(listed.slice(11).map(({ id: one }) => one));
      expect(await rows('queued=false&status=applied')).toEqual(listed.slice(0, 11));
      expect(await program()).toMatchObject({ candidateCount: 11, queuedCount: 90 });

      await pump.run();
      expect(mailbox.received).toEqual([]);
      await everyMinute({ time: digestAt.toISOString() });
      await pump.run();
      const told = mailbox.received.filter(({ to }) => to === owner.account.email);
      expect(told.map(({ tags }) => tags.kind)).toEqual(['owner_digest']);
      expect(told[0]!.subject).toBe('101 applications wait for you');
      expect(told[0]!.text).toMatch(
        new RegExp(
          `\n${brand.program.name}:\n11 applications wait for your decision, of (fake\\d+, ){9}fake\\d+ and honest${id}\\.\n90 more wait in the queue: `,
        ),
      );

      // The owner can decide on queued applicants as on others.
      const [first, second] = ofQueue;
      expect((await user.post(`${url}/partners/${first!.id}/accept`)).body.data.status).toBe('active');
      expect((await user.post(`${url}/partners/${second!.id}/reject`, { reason: 'No' })).body.data.status).toBe(
        'rejected',
      );
      expect(await row(first!.id)).toMatchObject({ status: 'active', application: { queued: false } });
      expect(await program()).toMatchObject({ candidateCount: 11, queuedCount: 89, partnerCount: 2 });
    },
  );
});

describe('an open program with a daily limit of new partners', () => {
  it('lets ten people of one mail domain join; the others wait for the owner, even if they apply again', async () => {
    const { id, program } = await programOf(world, { join: 'open' });
    const people = await Promise.all(Array.from({ length: 15 }, () => signedInAs(world, fakeOf('open-fakes.test'))));
    const join = () =>
      Promise.all(people.map(({ token }) => portal(token).post(`/join/${id}`, {}, { ip: ownNetwork() })));
    const states = (replies: Awaited<ReturnType<typeof join>>) =>
      replies.map(({ body }): string => body.data.status).toSorted((a, b) => a.localeCompare(b));
    const expected = [...Array.from({ length: 10 }, () => 'active'), ...Array.from({ length: 5 }, () => 'applied')];
    expect(states(await join())).toEqual(expected);
    expect(states(await join())).toEqual(expected);
    expect(await program()).toMatchObject({ partnerCount: 11, queuedCount: 5 });
    expect((await apply(id, `honest${id}@brand-new.test`, ownNetwork())).body).toEqual({ data: { status: 'active' } });
  });
});

it('when the list of applications is full, a brand can still invite, and new applicants wait in a queue', async () => {
  const { id, url, user, program } = await programOf(world, { join: 'apply' });
  await world.deps().table.update(keys.program(id), { set: { candidateCount: 5_000 } });
  expect((await apply(id, `honest${id}@brand-new.test`, ownNetwork())).body).toEqual({ data: { status: 'applied' } });
  const wanted = { name: 'Ben', email: newAddress(), invite: true };
  expect((await user.post(`${url}/partners`, wanted)).status).toBe(200);
  expect(await program()).toMatchObject({ candidateCount: 5_001, queuedCount: 1 });
});

it('the daily limit of applications per mail domain does not apply to public mail providers', async () => {
  const { id, program } = await programOf(world, { join: 'apply' });
  const replies = await flood(id, 15, () => ({ email: fakeOf('gmail.com'), ip: ownNetwork() }));
  expect(new Set(statusesOf(replies))).toEqual(new Set([200]));
  expect(await program()).toMatchObject({ candidateCount: 15 });
  expect(await program()).not.toHaveProperty('queuedCount');
});

it('only a salted hash of an applicant’s network is stored, for two days', async () => {
  const { id } = await programOf(world, { join: 'apply' });
  await apply(id, `honest${id}@brand-new.test`, '198.51.100.23');
  const windows = (await world.items(keys.rateWindow('application', `${id}`, 0).pk)).length;
  expect(windows).toBe(0);
  const { allItems } = await import('#test/support/table/invariants.ts');
  expect(JSON.stringify(await allItems(world))).not.toContain('198.51.100');
});
