import { describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import type { Dashboard } from '#test/support/callers/dashboard.ts';
import { partnerAtWrite } from '#lib/service/programs/addresses/partners-at-items.ts';
import { failing, failingAt, overtakenBy, refused, replyLost, sentAgain } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { statusesOf } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of changes of a partner's name and e-mail that race with each other and with programs that add partners.

const world = openedWorld();

const ROUNDS = 5;

interface Scene {
  readonly own: OwnedBrand;
  readonly user: Dashboard;
  /** The partner's URLs in both programs; the workspace's other programs do not have the partner. */
  readonly url: string;
  readonly secondUrl: string;
  readonly third: string;
}

async function scene(): Promise<Scene> {
  const own = await ownedBrand(world);
  const user = own.owner;
  const settings = { name: 'More', domain: 'more.test', commission_type: 'percent', commission_rate: 1 };
  const added = async () => `/programs/${(await user.post('/programs', settings)).body.data.id}`;
  const [second, third] = [await added(), await added()];
  await user.post(`${second}/partners`, { name: 'Ana', email: own.partner.email });
  const below = `/partners/${own.partner.id}`;
  return { own, user, url: own.path + below, secondUrl: second + below, third };
}

const inOrder = (all: readonly { programId: number; id: unknown }[]) =>
  all.toSorted((a, b) => a.programId - b.programId || Number(a.id) - Number(b.id));

/** Expects that each relation's e-mail finds its partner, also for leads, and that a partner has the same e-mail in all programs. */
async function expectConsistent({ own, user }: Scene): Promise<void> {
  const { data: programs } = (await user.get('/programs')).body;
  const relations = [];
  for (const { id: programId } of programs) {
    const { data } = (await user.get(`/programs/${programId}/partners`)).body;
    for (const { id, name, email } of data) relations.push({ programId, id, name, email });
  }
  const pk = keys.partnerEmail(own.program.workspaceId, '').pk;
  const known = (await allItems(world)).filter((item) => String(item.pk).startsWith(pk));
  const listed = known.flatMap(({ programIds, id, name, email }) =>
    [...(programIds as Set<number>)].map((programId) => ({ programId, id, name, email })),
  );
  expect(inOrder(listed)).toEqual(inOrder(relations));
  expect(new Set(known.map(({ id }) => id)).size).toBe(known.length);
  const expected = relations.map((relation) => partnerAtWrite(relation).key);
  const programIds = new Set(relations.map(({ programId }) => String(programId)));
  const at = (await allItems(world)).filter((item) =>
    programIds.has(/^PARTNERS_AT#(\d+)#/.exec(String(item.pk))?.[1] ?? ''),
  );
  expect(at).toEqual(expect.arrayContaining(expected));
  expect(at).toHaveLength(expected.length);
}

const partnerAt = async ({ user }: Scene, url: string) => (await user.get(url)).body.data;

describe('parallel changes of a partner’s e-mail address', () => {
  it('to two addresses leave one of them in all programs, and the other is free for another partner', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const made = await scene();
      const wanted = [newAddress(), newAddress()];
      const replies = await Promise.all(
        wanted.map((email, index) => made.user.patch([made.url, made.secondUrl][index]!, { email })),
      );
      expect(replies.map(({ status, body }) => [status, body.data.email])).toEqual(wanted.map((email) => [200, email]));
      const { email } = await partnerAt(made, made.url);
      expect(wanted).toContain(email);
      await expectConsistent(made);
      for (const free of ['ana@partners.test', ...wanted.filter((one) => one !== email)]) {
        const { body } = await made.user.post(`${made.third}/partners`, { name: 'New', email: free });
        expect(body.data).toMatchObject({ name: 'New', email: free });
      }
      await expectConsistent(made);
    }
  });

  it('to the same address get the same reply', async () => {
    const made = await scene();
    const change = { name: 'Eve', email: newAddress() };
    const replies = await Promise.all(Array.from({ length: 6 }, () => made.user.patch(made.url, change)));
    expect(replies.map(({ status, body }) => [status, body.data.name, body.data.email])).toEqual(
      replies.map(() => [200, 'Eve', change.email]),
    );
    await expectConsistent(made);
  });

  it('and of the same partner’s name are both stored', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const made = await scene();
      const email = newAddress();
      const replies = await Promise.all([
        made.user.patch(made.url, { name: 'Eve' }),
        made.user.patch(made.secondUrl, { email }),
      ]);
      expect(statusesOf(replies)).toEqual([200, 200]);
      expect(await partnerAt(made, made.url)).toMatchObject({ name: 'Eve', email });
      await expectConsistent(made);
    }
  });

  it(
    'and of the same partner’s name are both stored if the name changes after any one table call of the address change',
    { tags: 'deep' },
    async () => {
      for (let call = 1; ; call++) {
        const made = await scene();
        const email = newAddress();
        const rename = () => made.user.patch(made.url, { name: 'Eve' });
        const change = () => made.user.patch(made.secondUrl, { email });
        const reply = await failingAt(call, overtakenBy(rename), change).catch(() => undefined);
        if (!reply) break;
        expect({ call, status: reply.status }).toEqual({ call, status: 200 });
        expect({ call, ...(await partnerAt(made, made.url)) }).toMatchObject({ call, name: 'Eve', email });
        await expectConsistent(made);
      }
    },
  );

  it('of two partners to the same address succeed for one partner only', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const made = await scene();
      const { data: ben } = (await made.user.post(`${made.third}/partners`, { name: 'Ben', email: newAddress() })).body;
      const change = { email: newAddress() };
      const replies = await Promise.all([
        made.user.patch(made.url, change),
        made.user.patch(`${made.third}/partners/${ben.id}`, change),
      ]);
      expect(statusesOf(replies)).toEqual([200, 409]);
      await expectConsistent(made);
    }
  });

  it('do not prevent another program from adding a partner with the former or the new address', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const isFormer of [true, false]) {
        const made = await scene();
        const change = { name: 'Eve', email: newAddress() };
        const wanted = { name: 'Zoe', email: isFormer ? 'ana@partners.test' : change.email };
        const [changed, added] = await Promise.all([
          made.user.patch(made.url, change),
          made.user.post(`${made.third}/partners`, wanted),
        ]);
        expect(added.status).toBe(200);
        // Another partner may have taken the new e-mail by now.
        expect(isFormer ? [200] : [200, 409]).toContain(changed.status);
        await expectConsistent(made);
      }
    }
  });

  it('are stored, and so are a removal of a partner and a new link that are requested in parallel', async () => {
    const made = await scene();
    const { own, user, url } = made;
    const replies = await Promise.all([
      user.patch(url, { name: 'Eve', email: newAddress() }),
      user.patch(made.secondUrl, { status: 'removed' }),
      user.post(`${own.path}/links`, { partner_id: own.partner.id, short_link: `more-${own.program.id}` }),
    ]);
    expect(statusesOf(replies)).toEqual([200, 200, 200]);
    expect(await partnerAt(made, url)).toMatchObject({ name: 'Eve', links: [own.shortLink, `more-${own.program.id}`] });
    expect(await partnerAt(made, made.secondUrl)).toMatchObject({ name: 'Eve', status: 'removed' });
    await expectConsistent(made);
  });
});

describe('if another request writes between the reads and the write of a change of a partner’s e-mail address,', () => {
  it('a program that adds the partner in that moment gets the change as well', async () => {
    const made = await scene();
    const { user, url, third, own } = made;
    const add = () => user.post(`${third}/partners`, { name: 'x', email: 'ana@partners.test' });
    const reply = await failing('write', overtakenBy(add), () => user.patch(url, { name: 'Eve' }));
    expect(reply.status).toBe(200);
    expect(await partnerAt(made, `${third}/partners/${own.partner.id}`)).toMatchObject({ name: 'Eve' });
    await expectConsistent(made);
  });

  it.each([{ name: 'Eve' }, { email: 'eve@partners.test' }])(
    'a program that adds a partner with the former address at that time looks the address up again after the change %j',
    async (change) => {
      const made = await scene();
      const { user, url, third, own } = made;
      const reply = await failing(
        'write',
        overtakenBy(() => user.patch(url, change)),
        () => user.post(`${third}/partners`, { name: 'New', email: 'ana@partners.test' }),
      );
      // The address is free after the change, so a new partner can have it.
      const isSame = reply.body.data.id === own.partner.id;
      expect(reply.body.data).toMatchObject(
        'name' in change ? { id: own.partner.id, name: 'Eve' } : { name: 'New', email: 'ana@partners.test' },
      );
      expect(isSame).toBe('name' in change);
      await expectConsistent(made);
    },
  );

  it('the change is answered 409 if another partner has taken the address', async () => {
    const made = await scene();
    const email = newAddress();
    const add = () => made.user.post(`${made.third}/partners`, { name: 'Ben', email });
    const reply = await failing('write', overtakenBy(add), () => made.user.patch(made.url, { email }));
    expect(reply).toMatchObject({
      status: 409,
      body: { error: { message: 'This e-mail address belongs to another partner' } },
    });
    await expectConsistent(made);
  });
});

const removedAs = ({ user, url }: Scene, wanted: object) => user.patch(url, { ...wanted, status: 'removed' });
const change = () => ({ name: 'Eve', email: newAddress() });

describe('a change of a partner’s e-mail address, if its write fails, is sent twice or loses its reply,', () => {
  it('is complete if only the reply was lost, and a repeated request gets the usual reply', async () => {
    const made = await scene();
    const wanted = change();
    const ask = () => made.user.patch(made.url, wanted);
    expect((await failing('write', replyLost, ask)).status).toBe(500);
    expect((await ask()).body.data).toMatchObject(wanted);
    await expectConsistent(made);
  });

  it('takes effect once if the AWS SDK sends the write again', async () => {
    const made = await scene();
    const wanted = change();
    const reply = await failing('write', sentAgain, () => made.user.patch(made.url, wanted));
    expect(reply.body.data).toMatchObject(wanted);
    await expectConsistent(made);
  });

  it('leaves everything unchanged if the table refuses the write', async () => {
    const made = await scene();
    const reply = await failing('write', refused('InternalServerError'), () => made.user.patch(made.url, change()));
    expect(reply.status).toBe(500);
    expect(await partnerAt(made, made.url)).toMatchObject({ name: 'Ana', email: 'ana@partners.test' });
    await expectConsistent(made);
  });

  it('changes the status in the same request together with the address or not at all', async () => {
    const made = await scene();
    const before = await partnerAt(made, made.url);
    const wanted = { ...change(), status: 'removed' };
    const ask = () => made.user.patch(made.url, wanted);
    expect((await failing('write', refused('InternalServerError'), ask)).status).toBe(500);
    expect(await partnerAt(made, made.url)).toEqual(before);
    expect((await ask()).body.data).toMatchObject(wanted);
    await expectConsistent(made);
  });

  it('is completed by a repetition after the reply of any one call was lost', { tags: 'deep' }, async () => {
    const first = await scene();
    const calls = (await sentCalls(() => removedAs(first, change()))).filter(({ name }) => name !== 'UpdateCommand');
    for (let at = 1; at <= calls.length; at++) {
      const made = await scene();
      const wanted = change();
      expect((await failingAt(at, replyLost, () => removedAs(made, wanted))).status).toBe(500);
      expect((await removedAs(made, wanted)).body.data).toMatchObject({ ...wanted, status: 'removed' });
      await expectConsistent(made);
    }
  });
});
