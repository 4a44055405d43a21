import { describe, expect, it } from 'vitest';
import { programOf } from '#test/support/programs/candidates.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { newAddress, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A brand corrects an invitation to a wrong address, whose owner may have signed in before.

const world = openedWorld();

const MONTH_MS = 31 * 86_400_000;
const notFound = platformError(404, 'Program not found');

/** Creates a person who was invited by mistake and has signed in. */
async function scene(settings: object = {}) {
  const made = await programOf(world, { ...settings });
  const wrong = await made.person({ invite: true });
  const { partnerId } = wrong;
  const email = newAddress('right');
  return {
    ...made,
    partnerId,
    email,
    wrong: { ...wrong, ...portal(wrong.token) },
    correct: () => made.user.patch(`${made.url}/partners/${partnerId}`, { email }),
    invite: (at?: Date) => made.user.post(`${made.url}/partners/${partnerId}/invite`, {}, at && { at }),
    right: async () => {
      const person = await signedInAs(world, email);
      return { ...person, ...portal(person.token) };
    },
    pointers: (address: string) => world.items(`PARTNER_OF_EMAIL#${address}`),
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const programsOf = async ({ get }: Pick<Scene['wrong'], 'get'>) => (await get('/me')).body.data.programs;

/** Expects that the right person finds and accepts the invitation, and that the former person has none. */
async function expectMoved(made: Scene, right: Awaited<ReturnType<Scene['right']>>): Promise<void> {
  const { wrong, url, partnerId } = made;
  expect(await programsOf(wrong)).toEqual([]);
  expect((await wrong.post(`${url}/accept`, {})).body).toEqual(notFound);
  expect(await programsOf(right)).toMatchObject([{ status: 'invited' }]);
  expect((await right.post(`${url}/accept`, {})).body.data).toMatchObject({ status: 'active' });
  expect(await made.item(partnerId)).toMatchObject({
    status: 'active',
    accountId: right.account.id,
    email: made.email,
  });
  expect(await made.partnerIdOf(wrong)).toBeUndefined();
  expect(await made.partnerIdOf(right)).toBe(partnerId);
  expect(await made.pointers(wrong.account.email)).toEqual([]);
  expect(await made.pointers(made.email)).toEqual([]);
}

describe('when a brand corrects the e-mail address of an invitation, only the corrected address can accept it', () => {
  it('if the right person signs in after the correction', async () => {
    const made = await scene();
    expect((await made.correct()).status).toBe(200);
    expect(await made.pointers(made.email)).toMatchObject([{ partnerId: made.partnerId }]);
    expect((await made.invite()).status).toBe(200);
    await expectMoved(made, await made.right());
  });

  it('if the right person had signed in before the correction', async () => {
    const made = await scene();
    const right = await made.right();
    expect((await made.correct()).status).toBe(200);
    expect((await made.invite()).status).toBe(200);
    await expectMoved(made, right);
  });

  it('if the person with the wrong address never signed in', async () => {
    const made = await programOf(world);
    const [former, email] = [newAddress('wrong'), newAddress('right')];
    const partnerId = await made.add(former, { invite: true });
    await made.user.patch(`${made.url}/partners/${partnerId}`, { email });
    const [wrong, right] = [await signedInAs(world, former), await signedInAs(world, email)];
    expect(await programsOf(portal(wrong.token))).toEqual([]);
    expect((await portal(right.token).post(`${made.url}/accept`, {})).status).toBe(200);
  });

  it('if the invitation had expired', async () => {
    const made = await scene();
    const at = new Date(NOW.getTime() + MONTH_MS);
    await made.user.patch(`${made.url}/partners/${made.partnerId}`, { email: made.email }, { at });
    expect((await made.invite(at)).status).toBe(200);
    await expectMoved(made, await made.right());
  });

  it('if the invitation had been withdrawn', async () => {
    const made = await scene();
    await made.user.post(`${made.url}/partners/${made.partnerId}/withdraw`);
    await made.correct();
    expect((await made.invite()).status).toBe(200);
    await expectMoved(made, await made.right());
  });

  it('if a second correction restores the first address', async () => {
    const made = await scene();
    await made.correct();
    await made.user.patch(`${made.url}/partners/${made.partnerId}`, { email: made.wrong.account.email });
    expect(await programsOf(made.wrong)).toMatchObject([{ status: 'invited' }]);
    expect(await programsOf(await made.right())).toEqual([]);
  });
});

it('a correction of an invitation’s e-mail address deletes the wrong person’s acceptance of the terms', async () => {
  const made = await scene({ partner_terms: 'One' });
  await made.wrong.post(`${made.url}/terms`, { version: 1 });
  await made.correct();
  expect(await made.item(made.partnerId)).not.toHaveProperty('acceptedTerms');
});

const moved = (made: Awaited<ReturnType<typeof programOf>>, partnerId: number) =>
  made.user.patch(`${made.url}/partners/${partnerId}`, { email: newAddress() });

describe('a change of a partner’s e-mail address does not give the partner to another person', () => {
  it.each(['applied', 'rejected'] as const)('if the person applied and the application is %s', async (status) => {
    const made = await programOf(world, { join: 'apply' });
    const { account, partnerId } = await made.applicant();
    if (status === 'rejected') await made.user.post(`${made.url}/partners/${partnerId}/reject`, { reason: 'No' });
    await moved(made, partnerId);
    expect(await made.item(partnerId)).toMatchObject({ status, accountId: account.id });
    if (status !== 'rejected') return;
    await made.user.post(`${made.url}/partners/${partnerId}/invite`, {});
    await moved(made, partnerId);
    expect(await made.item(partnerId)).toMatchObject({ status: 'invited', accountId: account.id });
  });

  it('if the person was a partner before and is invited again', async () => {
    const made = await programOf(world);
    const { token, account, partnerId } = await made.person();
    await made.user.patch(`${made.url}/partners/${partnerId}`, { status: 'removed' });
    await made.user.post(`${made.url}/partners/${partnerId}/invite`, {});
    await moved(made, partnerId);
    expect(await made.item(partnerId)).toMatchObject({ status: 'invited', accountId: account.id });
    expect((await portal(token).post(`${made.url}/accept`, {})).status).toBe(200);
    expect(await made.item(partnerId)).toMatchObject({ status: 'active', joinedAt: NOW.toISOString() });
  });
});

/** Expects that either the former person is the partner, or the right person can still become the partner. */
async function expectOneWinner(made: Scene, accepted: { status: number }): Promise<void> {
  const isAccepted = accepted.status === 200;
  const { status, accountId } = (await made.item(made.partnerId))!;
  expect([accepted.status, status, accountId]).toEqual(
    isAccepted ? [200, 'active', made.wrong.account.id] : [404, 'invited', undefined],
  );
  if (!isAccepted) await expectMoved(made, await made.right());
}

describe('if the wrong person accepts an invitation while its e-mail address is corrected', () => {
  it('either that person becomes the partner, or the invitation goes to the right person', async () => {
    for (let round = 0; round < 5; round++) {
      const made = await scene();
      const [accepted, corrected] = await Promise.all([made.wrong.post(`${made.url}/accept`, {}), made.correct()]);
      expect(corrected.status).toBe(200);
      await expectOneWinner(made, accepted);
    }
  });

  it('the acceptance is answered 404 when the correction is written between the acceptance’s reads and its write', async () => {
    const made = await scene();
    const accepted = await failing('write', overtakenBy(made.correct), () => made.wrong.post(`${made.url}/accept`, {}));
    expect(accepted.status).toBe(404);
    await expectOneWinner(made, accepted);
  });

  it('that person is the partner when the acceptance is written between the correction’s reads and its write', async () => {
    const made = await scene();
    const accept = () => made.wrong.post(`${made.url}/accept`, {});
    const corrected = await failing('write', overtakenBy(accept), made.correct);
    expect(corrected.status).toBe(200);
    await expectOneWinner(made, { status: 200 });
  });

  it('accepting only the terms does not make that person a partner', async () => {
    const made = await scene({ partner_terms: 'One' });
    expect((await made.wrong.post(`${made.url}/terms`, { version: 1 })).body).toEqual(
      platformError(409, 'You are not a partner of this program yet'),
    );
    expect(await made.item(made.partnerId)).not.toHaveProperty('acceptedTerms');
  });
});
