import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys, type Key } from '#lib/service/ground/table/keys.ts';
import { clearKeyRotation } from '#lib/service/programs/keys/clear-key-rotation.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { importLegacyKey } from '#lib/service/programs/keys/import-legacy-key.ts';
import { issueAgentKey } from '#lib/service/programs/keys/issue-agent-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { createHealthRecorder } from '#lib/service/outbox/sending/record-endpoint-health.ts';
import { repairSale } from '#lib/service/conversions/sales/repair-sale.ts';
import { revokeAgentKey } from '#lib/service/programs/keys/revoke-agent-key.ts';
import { settleTiers } from '#lib/service/conversions/tiers/settle-tiers.ts';
import { trustEdge } from '#lib/service/ground/counters/trust-edge.ts';
import { unlinkCustomer } from '#lib/service/traffic/customers/unlink-customer.ts';
import { listWords } from '#lib/service/programs/words/list-words.ts';
import { unlinkLink } from '#lib/service/programs/links/unlink-link.ts';
import type { World } from '#test/support/programs/world.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { clicked, signedUp, soldTo } from '#test/support/payments/lives/journeys.ts';
import { openIssuer } from '#test/support/callers/logins/issuer.ts';
import { completed, pollFor } from '#test/support/callers/logins/logins.ts';
import { newAddress } from '#test/support/programs/people.ts';
import { DEADLINE, markedBrand } from '#test/support/programs/rotation.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { counted } from '#test/support/table/stream.ts';
import { endpointOf } from '#test/support/outbox/webhooks.ts';
import type { EightAtATime } from '#test/integration/eight-at-a-time/case.ts';

const issuer = await openIssuer();

/** The entries by which a search finds the partner of a workspace by the first word of the name. */
async function wordsOf(world: World, workspaceId: number, name: string): Promise<Key[]> {
  const word = name.split(' ')[0]!.toUpperCase();
  const listed = (await world.items(`PARTNER_WORDS#${workspaceId}#${word[0]}`)) as unknown as Key[];
  return listed.filter(({ sk }) => sk.startsWith(`${word}#`)).map(({ pk, sk }) => ({ pk, sk }));
}

/** The actions of operators, the schedule, deployments and the CLI. */
export const operatorsActs: Readonly<Record<string, EightAtATime>> = {
  'edge secrets': {
    uses: ['trust-edge'],
    answers: { done: 8 },
    left: true,
    open: async (world) => ({
      act: () => trustEdge(world.deps()),
      left: async () => (await world.items(keys.edge.pk)).length > 0,
    }),
  },
  'rotation marks on a program key': {
    uses: ['mark-key-for-rotation'],
    answers: { done: 8 },
    left: DEADLINE.toISOString(),
    open: async (world) => {
      const { program, key } = await world.brand();
      return {
        act: () => markKeyForRotation(world.deps(), program.id, DEADLINE),
        left: async () => (await world.items(`CREDENTIAL#${sha256(key)}`))[0]?.rotationDeadline,
      };
    },
  },
  'removals of a program key’s rotation mark': {
    uses: ['clear-key-rotation'],
    answers: { done: 8 },
    left: undefined,
    open: async (world) => {
      const { program, key } = await markedBrand(world);
      return {
        act: () => clearKeyRotation(world.deps(), program.id),
        left: async () => (await world.items(`CREDENTIAL#${sha256(key)}`))[0]?.rotationDeadline,
      };
    },
  },
  'imports of one legacy key': {
    uses: ['import-legacy-key'],
    answers: { done: 1, conflict: 7 },
    left: 1,
    open: async (world) => {
      const { program } = await world.brand();
      const key = `legacy_${program.id}_0123456789`;
      return {
        act: () => importLegacyKey(world.deps(), program.id, key),
        left: async () => (await world.items(`CREDENTIAL#${sha256(key)}`)).length,
      };
    },
  },
  'revocations of an agent key': {
    uses: ['revoke-agent-key'],
    answers: { done: 8 },
    left: [],
    open: async (world) => {
      const { workspaceId } = (await world.brand()).program;
      const wanted = { workspaceId, name: 'Reporting', scopes: ['program:list'] } as const;
      const { id, key } = await issueAgentKey(world.deps(), wanted);
      return {
        act: () => revokeAgentKey(world.deps(), id),
        left: () => world.items(`CREDENTIAL#${sha256(key)}`),
      };
    },
  },
  'unlinkings of a customer from its partner': {
    uses: ['unlink-customer'],
    answers: { done: 8 },
    left: undefined,
    open: async (world) => {
      const clickId = await clicked(await world.brand());
      return {
        act: () => unlinkCustomer(world.deps(), clickId),
        left: async () => (await world.deps().table.get<{ partnerId?: number }>(keys.customer(clickId)))?.partnerId,
      };
    },
  },
  'unlinkings of a link from its partner': {
    uses: ['unlink-link'],
    answers: { done: 8 },
    left: undefined,
    open: async (world) => {
      const { shortLink } = await world.brand();
      return {
        act: () => unlinkLink(world.deps(), shortLink),
        left: async () => (await world.deps().table.get<{ partnerId?: number }>(keys.link(shortLink)))?.partnerId,
      };
    },
  },
  'erasures of a customer': {
    uses: ['erase-customer'],
    answers: { done: 8 },
    left: true,
    open: async (world) => {
      const brand = await world.brand();
      const clickId = await signedUp(brand, 'erased');
      return {
        act: () => eraseCustomer(world.deps(), { clickId, programId: brand.program.id }, async () => {}),
        left: async () =>
          (await world.deps().table.get<{ erasedAt?: string }>(keys.customer(clickId)))?.erasedAt !== undefined,
      };
    },
  },
  'repairs of a sale without its commission': {
    uses: ['repair-sale'],
    answers: { done: 8 },
    left: 980,
    open: async (world) => {
      const { id } = await failedFirstSale(await world.brand());
      return {
        act: () => repairSale(world.deps(), id),
        left: async () => (await saleItems(world, id)).commission?.amountCents,
      };
    },
  },
  'runs of the schedule that make commission tiers final': {
    uses: ['settle-tiers'],
    answers: { done: 8 },
    left: 1470,
    open: async (world) => {
      const own = await ownedBrand(world, { tiers: [{ fromSales: 2, rate: 30 }], commissionRate: 10 });
      const name = (text: string) => `${text}-${own.program.id}`;
      const sell = (text: string, at: string) =>
        soldTo(own, name(text), { transaction_id: name(text) }, { at: new Date(at) });
      for (const text of ['first', 'second', 'third']) await sell(text, '2026-11-30T23:59:59.000Z');
      await sell('next', '2026-12-01T00:00:00.050Z');
      // The month is final only after its probes have passed through the stream.
      const at = (minute: number) => world.deps(new Date(Date.UTC(2026, 11, 2, 0, minute)));
      await counted(world);
      await settleTiers(at(10));
      await counted(world);
      await settleTiers(at(11));
      return {
        act: () => settleTiers(at(12)),
        left: async () => (await saleItems(world, name('next'))).commission?.amountCents,
      };
    },
  },
  'lists of words of a program of a former version': {
    uses: ['list-words'],
    answers: { done: 8 },
    left: 1,
    open: async (world) => {
      const { program, partner } = await ownedBrand(world);
      const [{ pk, sk }] = (await wordsOf(world, program.workspaceId, partner.name)) as [Key];
      await world.deps().table.transact([{ name: 'word', key: { pk, sk }, remove: true }]);
      await world.deps().table.update(keys.program(program.id), { set: { listsWords: undefined } });
      return {
        act: async () => void (await listWords(world.deps())),
        left: async () => (await wordsOf(world, program.workspaceId, partner.name)).length,
      };
    },
  },
  'failures of an endpoint': {
    uses: ['record-endpoint-health'],
    answers: { done: 8 },
    left: 'disabled',
    open: async (world) => {
      const own = await ownedBrand(world);
      const { id } = await endpointOf(own);
      const stored = async () => {
        const found = (await world.items(`PROGRAM#${own.program.id}`)).find(({ sk }) => sk === 'WEBHOOKS');
        return (found!.endpoints as { id: number; status: string }[]).find((each) => each.id === id)!;
      };
      const known = await stored();
      return {
        // The endpoint answers 410.
        act: () => {
          const recorder = createHealthRecorder(world.deps(), own.program.id, id);
          recorder.setEndpoint(known as never);
          return recorder.record({ statusCode: 410 }, world.deps().now);
        },
        left: async () => (await stored()).status,
      };
    },
  },
  'polls for one login': {
    uses: ['poll-login'],
    answers: { 200: 1, 400: 7 },
    left: 1,
    open: async () => {
      const state = await completed(issuer, newAddress());
      const tokens = new Set<string>();
      return {
        act: async () => {
          const reply = await pollFor(state);
          if (reply.body.data?.token ?? reply.body.token) tokens.add(reply.body.data?.token ?? reply.body.token);
          return reply;
        },
        left: async () => tokens.size,
      };
    },
  },
};
