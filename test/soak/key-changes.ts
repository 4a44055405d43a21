import { type Brand, newBrand, saleOf, signedUp } from '#test/live/brand.ts';
import { type Call, succeed } from '#test/live/caller.ts';
import { inParallel } from '#test/live/in-parallel.ts';
import { hold, violated } from '#test/live/hold.ts';
import { soak } from '#test/soak/support/part.ts';
import { startService } from '#test/live/service.ts';
import { soundTable } from '#test/soak/support/stored.ts';

// The clients of each program sell, and repeatedly one of them generates the program's key again. A key fails from its
// successor's reply on, but not before the successor is requested, and no sale is lost or duplicated.

const CLIENTS_OF_A_BRAND = 10;
const CHANGES = 0.15;
const MOST_ATTEMPTS = 50;
/** Keys generated in parallel are returned in any order: the valid one is among the latest few. */
const KEYS_TO_TRY = 5;

/** One generation of a key, with its start and end. */
interface Generation {
  readonly askedAt: number;
  answered?: { readonly key: string; readonly at: number };
}

interface Program {
  readonly brand: Brand;
  /** Generations in the order of their requests. */
  readonly generations: Generation[];
}

await soak(async (part) => {
  const { chance, size } = part;
  const clients = size(200, 20);
  const salesOfAClient = size(8, 4);
  const service = await startService(part);
  const { call } = service;
  const programs = await inParallel(clients / CLIENTS_OF_A_BRAND, 4, async (n): Promise<Program> => {
    const brand = await newBrand(call, `soak-${n}`);
    await signedUp(call, brand, 'buyer');
    return { brand, generations: [{ askedAt: -1, answered: { key: brand.key, at: 0 } }] };
  });
  let refusals = 0;

  const saleIds = await inParallel(clients, clients, async (client) => {
    const program = programs[client % programs.length]!;
    const own: number[] = [];
    for (let n = 0; n < salesOfAClient; n++) {
      if (chance.hits(CHANGES)) await generateKey(call, program);
      own.push(await sell(program, `client-${client}-${n}`));
    }
    return own;
  });
  for (const program of programs) await expectOneKeyInForce(call, program);

  const { sales } = await soundTable(service);
  const [stored, acknowledged] = [inOrder([...sales.values()].map(({ id }) => id)), inOrder(saleIds.flat())];
  hold(
    String(stored) === String(acknowledged),
    `${acknowledged.length} sales are acknowledged, ${stored.length} stored`,
  );
  return {
    clients: `${clients} of ${programs.length} programs`,
    'keys generated': programs.reduce((sum, { generations }) => sum + generations.length - 1, 0),
    'sales refused for a replaced key, and sent with the next': refusals,
    'sales, each acknowledged once': sales.size,
  };

  /** @returns the sale's id */
  async function sell(program: Program, transactionId: string): Promise<number> {
    const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: 'buyer' };
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const latest = answeredOf(program).slice(-KEYS_TO_TRY).toReversed();
      const generation = latest[attempt % latest.length]!;
      const sentAt = performance.now();
      const { status, text, body: told } = await call(saleOf({ key: generation.answered.key }, body));
      hold(status === 200 || status === 401, `Sale ${transactionId} answered ${status}: ${text}`);
      if (status === 200) expectNotReplaced(generation, program, sentAt);
      else expectReplaced(generation, program, performance.now());
      if (status === 200) return told.sale_id;
      refusals += 1;
    }
    return violated(`Sale ${transactionId} found no key in force in ${MOST_ATTEMPTS} attempts`);
  }
});

function inOrder(ids: readonly unknown[]): number[] {
  return ids.map(Number).toSorted((a, b) => a - b);
}

type Answered = Required<Generation>;

/** Answered generations in the order of their replies. */
function answeredOf({ generations }: Program): Answered[] {
  return generations
    .filter((generation): generation is Answered => generation.answered !== undefined)
    .toSorted((a, b) => a.answered.at - b.answered.at);
}

async function generateKey(call: Call, { brand, generations }: Program): Promise<void> {
  const generation: Generation = { askedAt: performance.now() };
  generations.push(generation);
  const path = `/api/dashboard/v1/programs/${brand.programId}/api-key`;
  const { data } = await succeed(call, { path, key: brand.token, body: {} });
  generation.answered = { key: data.api_key, at: performance.now() };
}

// Requests that overlap have no known order, so the following checks allow either order.

/** Checks an accepted key: no other key was generated completely between its own generation and the request. */
function expectNotReplaced(taken: Answered, program: Program, sentAt: number): void {
  const successor = answeredOf(program).find(
    ({ askedAt, answered }) => askedAt > taken.answered.at && answered.at < sentAt,
  );
  hold(!successor, 'A key was taken although its successor had been answered before');
}

/** Checks a refused key: another key may have been generated between its own generation and the reply. */
function expectReplaced(refused: Answered, { generations }: Program, repliedAt: number): void {
  const mayBeReplaced = generations.some(
    (other) =>
      other !== refused && other.askedAt < repliedAt && (!other.answered || other.answered.at > refused.askedAt),
  );
  hold(mayBeReplaced, 'A key was refused although nothing had replaced it');
}

async function expectOneKeyInForce(call: Call, program: Program): Promise<void> {
  const keys = answeredOf(program).map(({ answered }) => answered.key);
  const path = '/api/v1/programs/me/readiness';
  const replies = await Promise.all(keys.map((key) => call({ method: 'GET', path, key })));
  const inForce = replies.filter(({ status }) => status === 200).length;
  hold(inForce === 1, `Of ${keys.length} keys of program ${program.brand.programId}, ${inForce} are in force`);
}
