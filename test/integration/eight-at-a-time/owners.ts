import { expect } from 'vitest';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { newAddress, ownerOf } from '#test/support/programs/people.ts';
import { endpointOf } from '#test/support/outbox/webhooks.ts';
import type { World } from '#test/support/programs/world.ts';
import { EIGHT, type EightAtATime } from '#test/integration/eight-at-a-time/case.ts';

const terms = { commission_type: 'percent', commission_rate: 30 };
const rowsOf = async (own: OwnedBrand, list: string) => (await own.owner.get(`${own.path}/${list}`)).body.data;
const partnerPath = ({ path, partner }: OwnedBrand) => `${path}/partners/${partner.id}`;
const linkPath = ({ path, shortLink }: OwnedBrand) => `${path}/links/${shortLink}`;
const anyOf = (name: string) => expect.stringMatching(new RegExp(`^${name} [0-7]$`));

async function workspaceOf(world: World) {
  const owner = await ownerOf(world);
  const user = dashboard(owner.token);
  const emails = async (): Promise<string[]> =>
    (await user.get('/workspace/members')).body.data.map(({ email }: { email: string }) => email).toSorted();
  return { owner, user, emails };
}

/** The actions of owners in the dashboard. */
export const ownersActs: Readonly<Record<string, EightAtATime>> = {
  'groups of a program': {
    uses: ['change-agreements'],
    answers: { 200: 8 },
    left: EIGHT.map((at) => at + 1),
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: (at) => own.owner.post(`${own.path}/groups`, { name: `Group ${at}`, terms }),
        left: async () => (await rowsOf(own, 'groups')).map(({ id }: { id: number }) => id).toSorted(),
      };
    },
  },
  'groups with one name': {
    uses: ['change-agreements'],
    answers: { 200: 1, 409: 7 },
    left: ['Same'],
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: () => own.owner.post(`${own.path}/groups`, { name: 'Same', terms }),
        left: async () => (await rowsOf(own, 'groups')).map(({ name }: { name: string }) => name),
      };
    },
  },
  'codes of a partner': {
    uses: ['create-code'],
    answers: { 200: 8 },
    left: EIGHT.map((at) => `SAVE${at}`),
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: (at) => own.owner.post(`${own.path}/codes`, { partner_id: own.partner.id, code: `SAVE${at}` }),
        left: async () => (await rowsOf(own, 'codes')).map(({ code }: { code: string }) => code).toSorted(),
      };
    },
  },
  'changes of a code': {
    uses: ['change-code'],
    answers: { 200: 8 },
    left: [expect.objectContaining({ code: 'SAVE', status: expect.stringMatching(/^(active|disabled)$/) })],
    open: async (world) => {
      const own = await ownedBrand(world);
      await own.owner.post(`${own.path}/codes`, { partner_id: own.partner.id, code: 'SAVE' });
      return {
        act: (at) => own.owner.patch(`${own.path}/codes/SAVE`, { status: at % 2 ? 'active' : 'disabled' }),
        left: () => rowsOf(own, 'codes'),
      };
    },
  },
  'partners of a program': {
    uses: ['add-partner'],
    answers: { 200: 8 },
    left: { partners: 9, partnerCount: 9 },
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: (at) => own.owner.post(`${own.path}/partners`, { name: `Ben ${at}`, email: newAddress('ben') }),
        left: async () => {
          const items = await world.items(`PROGRAM#${own.program.id}`);
          const partners = await rowsOf(own, 'partners');
          return { partners: partners.length, partnerCount: items.find(({ sk }) => sk === 'PROGRAM')?.partnerCount };
        },
      };
    },
  },
  'links of a partner': {
    uses: ['create-link'],
    answers: { 200: 8 },
    left: 9,
    open: async (world) => {
      const own = await ownedBrand(world);
      const short_link = (at: number) => `eight-${own.program.id}-${at}`;
      return {
        act: (at) => own.owner.post(`${own.path}/links`, { partner_id: own.partner.id, short_link: short_link(at) }),
        left: async () => (await rowsOf(own, 'links')).length,
      };
    },
  },
  'changes of one link': {
    uses: ['set-link-status'],
    answers: { 200: 8 },
    left: [expect.objectContaining({ status: expect.stringMatching(/^(active|inactive)$/) })],
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: (at) => own.owner.patch(linkPath(own), { status: at % 2 ? 'active' : 'inactive' }),
        left: () => rowsOf(own, 'links'),
      };
    },
  },
  'changes of a partner': {
    uses: ['change-partner'],
    answers: { 200: 8 },
    left: anyOf('Ana'),
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: (at) => own.owner.patch(partnerPath(own), { name: `Ana ${at}` }),
        left: async () => (await own.owner.get(partnerPath(own))).body.data.name,
      };
    },
  },
  'removals of a partner': {
    uses: ['set-partner-status'],
    answers: { 200: 8 },
    left: 'removed',
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: () => own.owner.patch(partnerPath(own), { status: 'removed' }),
        left: async () => (await own.owner.get(partnerPath(own))).body.data.status,
      };
    },
  },
  'changes of a program': {
    uses: ['change-program'],
    answers: { 200: 8 },
    left: anyOf('Program'),
    open: async (world) => {
      const own = await ownedBrand(world);
      return {
        act: (at) => own.owner.patch(own.path, { name: `Program ${at}` }),
        left: async () => (await own.owner.get(own.path)).body.data.name,
      };
    },
  },
  'keys of a program': {
    uses: ['generate-program-key'],
    answers: { 200: 8 },
    left: 1,
    open: async (world) => {
      const own = await ownedBrand(world);
      const keys: string[] = [];
      return {
        act: async () => {
          const reply = await own.owner.post(`${own.path}/api-key`);
          keys.push(reply.body.data.api_key);
          return reply;
        },
        left: async () => {
          const items = await Promise.all(keys.map((key) => world.items(`CREDENTIAL#${sha256(key)}`)));
          return items.flat().filter((item) => item.retiredAt === undefined).length;
        },
      };
    },
  },
  'endpoints of a program, up to ten': {
    uses: ['change-webhooks'],
    answers: { 200: 6, 409: 2 },
    left: 10,
    open: async (world) => {
      const own = await ownedBrand(world);
      for (let at = 0; at < 4; at++) await endpointOf(own);
      return {
        act: (at) => own.owner.post(`${own.path}/webhooks`, { url: `https://hooks.brand.com/${at}` }),
        left: async () => (await rowsOf(own, 'webhooks')).length,
      };
    },
  },
  'invitations into a workspace': {
    uses: ['set-member'],
    answers: { 200: 8 },
    left: 9,
    open: async (world) => {
      const { user, emails } = await workspaceOf(world);
      return {
        act: () => user.post('/workspace/members', { email: newAddress('member'), role: 'member' }),
        left: async () => (await emails()).length,
      };
    },
  },
  'removals of members': {
    uses: ['remove-member'],
    answers: { 200: 8 },
    left: 1,
    open: async (world) => {
      const { user, emails } = await workspaceOf(world);
      const invited = EIGHT.map(() => newAddress('member'));
      for (const email of invited) await user.post('/workspace/members', { email, role: 'member' });
      return {
        act: (at) => user.delete(`/workspace/members/${encodeURIComponent(invited[at]!)}`),
        left: async () => (await emails()).length,
      };
    },
  },
  'freezes of payouts': {
    uses: ['freeze-payouts'],
    answers: { 200: 8 },
    left: expect.any(Boolean),
    open: async (world) => {
      const { user } = await workspaceOf(world);
      return {
        act: (at) => user.patch('/workspace', { payouts_frozen: at % 2 === 1 }),
        left: async () => (await user.get('/workspace')).body.data.payouts_frozen,
      };
    },
  },
  'programs of a workspace': {
    uses: ['create-program'],
    answers: { 200: 8 },
    left: 8,
    open: async (world) => {
      const { user } = await workspaceOf(world);
      const settings = { domain: 'acme.test', commission_type: 'percent', commission_rate: 20 };
      return {
        act: (at) => user.post('/programs', { name: `Program ${at}`, ...settings }),
        left: async () => (await user.get('/programs')).body.data.length,
      };
    },
  },
};
