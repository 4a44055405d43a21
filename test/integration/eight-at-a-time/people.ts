import { keys } from '#lib/service/ground/table/keys.ts';
import { closeAccount } from '#lib/service/programs/closing/close-account.ts';
import { matchPartner } from '#lib/service/programs/joining/match-partners.ts';
import { openSession } from '#lib/service/programs/joining/open-session.ts';
import { signInOwn } from '#lib/service/people/accounts/sign-in.ts';
import { programOf } from '#test/support/programs/candidates.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { png } from '#test/support/programs/images.ts';
import { newAddress, ownerOf, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';
import { EIGHT, type EightAtATime } from '#test/integration/eight-at-a-time/case.ts';

const payeeOf = (at: number) => `Payee ${at}`;
const paypal = (at: number) => ({ method: 'paypal', email: `pay${at}@people.test` });

/** Creates a person whom a workspace has invited. */
async function invited(world: World) {
  const owner = await ownerOf(world);
  const email = newAddress();
  await dashboard(owner.token).post('/workspace/members', { email, role: 'member' });
  const user = dashboard((await signedInAs(world, email)).token);
  const members = async () => (await dashboard(owner.token).get('/workspace/members')).body.data.length;
  return { user, body: { workspace_id: owner.workspace.id }, members };
}

/** Creates a person known only by the issuer's claims. */
const stranger = () => {
  const email = newAddress();
  const idToken = (at: number) => ({ hash: `${email} ${at}`, endsAtSeconds: NOW.getTime() / 1000 + 600 });
  return (at: number) => ({
    issuer: 'test',
    subject: email,
    email,
    name: undefined,
    signedInAt: NOW.toISOString(),
    idToken: idToken(at),
  });
};

/** The actions of people who sign in, join and leave. */
export const peoplesActs: Readonly<Record<string, EightAtATime>> = {
  'first sign-ins of a person': {
    uses: ['sign-in', 'open-session'],
    answers: { done: 8 },
    left: 1,
    open: async (world) => {
      const identity = stranger();
      const accounts = new Set<number>();
      return {
        act: async (at) => {
          const { account } =
            at % 2
              ? await openSession(world.deps(), identity(at))
              : { account: await signInOwn(world.deps(), identity(at)) };
          accounts.add(account.id);
        },
        left: async () => accounts.size,
      };
    },
  },
  'answers to an invitation into a workspace': {
    uses: ['answer-invitation'],
    answers: { 200: 1, 404: 7 },
    left: true,
    open: async (world) => {
      const { user, body, members } = await invited(world);
      return {
        act: (at) => user.post(at % 2 ? '/workspace/join' : '/workspace/decline', body),
        left: async () => [1, 2].includes(await members()),
      };
    },
  },
  'applications of a person': {
    uses: ['join-program'],
    answers: { 200: 8 },
    left: ['active', 'applied'],
    open: async (world) => {
      const { id, user, url } = await programOf(world, { join: 'apply' });
      const person = await signedInAs(world);
      return {
        act: () => portal(person.token).post(`/join/${id}`, {}),
        left: async () => {
          const { body } = await user.get(`${url}/partners`);
          return body.data.map(({ status }: { status: string }) => status).toSorted();
        },
      };
    },
  },
  'acceptances of a partner invitation': {
    uses: ['accept-partnership'],
    answers: { 200: 8 },
    left: 'active',
    open: async (world) => {
      const { person, url, row } = await programOf(world);
      const one = await person({ invite: true });
      return {
        act: () => portal(one.token).post(`${url}/accept`, {}),
        left: async () => (await row(one.partnerId)).status,
      };
    },
  },
  'decisions on an application': {
    uses: ['decide-application'],
    answers: { 200: 1, 409: 7 },
    left: true,
    open: async (world) => {
      const { applicant, user, url, row } = await programOf(world, { join: 'apply' });
      const { partnerId } = await applicant();
      const path = `${url}/partners/${partnerId}`;
      return {
        act: (at) => (at % 2 ? user.post(`${path}/accept`) : user.post(`${path}/reject`, { reason: 'Off topic' })),
        left: async () => ['active', 'rejected'].includes((await row(partnerId)).status),
      };
    },
  },
  'acceptances of a partner’s terms': {
    uses: ['accept-terms'],
    answers: { 200: 8 },
    left: 1,
    open: async (world) => {
      const { person, user, url, item } = await programOf(world);
      const one = await person();
      await user.patch(url, { partner_terms: 'Be fair.' });
      return {
        act: () => portal(one.token).post(`${url}/terms`, { version: 1 }),
        left: async () => ((await item(one.partnerId))!.acceptedTerms as { version: number }).version,
      };
    },
  },
  'payout details of a person': {
    uses: ['set-payout-details'],
    answers: { 200: 8 },
    left: 'paypal',
    open: async (world) => {
      const { token } = await signedInAs(world);
      return {
        act: (at) => portal(token).put('/payout-details', paypal(at)),
        left: async () => (await portal(token).get('/payout-details')).body.data.method,
      };
    },
  },
  'removals of payout details': {
    uses: ['delete-payout-details'],
    answers: { 200: 8 },
    left: null,
    open: async (world) => {
      const { token } = await signedInAs(world);
      await portal(token).put('/payout-details', paypal(0));
      return {
        act: () => portal(token).delete('/payout-details'),
        left: async () => (await portal(token).get('/payout-details')).body.data,
      };
    },
  },
  'changes of billing details': {
    uses: ['billing'],
    answers: { 200: 8 },
    left: true,
    open: async (world) => {
      const { token } = await signedInAs(world);
      return {
        act: (at) => portal(token).put('/billing', { name: payeeOf(at) }),
        left: async () => {
          const { data } = (await portal(token).get('/billing')).body;
          return EIGHT.some((at) => data.name === payeeOf(at)) && data.address === null;
        },
      };
    },
  },
  'changes of the payer of a workspace': {
    uses: ['change-payer'],
    answers: { 200: 8 },
    left: ['Acme', 'Lisbon'],
    open: async (world) => {
      const { token } = await ownerOf(world);
      const payer = dashboard(token);
      return {
        act: (at) => payer.patch('/workspace/payer', at % 2 ? { name: 'Acme' } : { address: 'Lisbon' }),
        left: async () => {
          const { name, address } = (await payer.get('/workspace/payer')).body.data;
          return [name, address];
        },
      };
    },
  },
  'changes of the brand of a program, and of its logo': {
    uses: ['change-brand'],
    answers: { 200: 8 },
    left: ['Acme', true],
    open: async (world) => {
      const { user, url, id } = await programOf(world);
      const upload = (at: number) =>
        user.put(`${url}/brand/logo`, png({ shade: at }).toString('base64'), { isBase64Encoded: true });
      return {
        act: (at) => (at % 2 ? user.patch(`${url}/brand`, { display_name: 'Acme' }) : upload(at)),
        left: async () => {
          const items = await world.items(`BRAND#${id}`);
          const [brand, logo] = ['BRAND', 'LOGO'].map((sort) => items.find(({ sk }) => sk === sort));
          return [brand!.displayName, (brand!.logo as { sha256: string }).sha256 === logo!.sha256];
        },
      };
    },
  },
  'sign-ins that match a person to a partner': {
    uses: ['match-partners'],
    answers: { done: 8 },
    left: 1,
    open: async (world) => {
      const { id, add } = await programOf(world);
      const { account } = await signedInAs(world);
      const partnerId = await add(account.email);
      return {
        act: () => matchPartner(world.deps(), account, { programId: id, partnerId }),
        left: async () =>
          (await world.items(`ACCOUNT#${account.id}`)).filter(({ sk }) => sk === `PARTNER#${id}`).length,
      };
    },
  },
  'closures of an account': {
    uses: ['close-account', 'close-partnership'],
    answers: { done: 8 },
    left: undefined,
    open: async (world) => {
      const { person } = await programOf(world);
      const { account } = await person();
      return {
        act: () => closeAccount(world.deps(), account.id),
        left: () => world.deps().table.get(keys.account(account.id)),
      };
    },
  },
};
