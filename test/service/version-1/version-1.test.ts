import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { openIssuer } from '#test/support/callers/logins/issuer.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { storedItems } from '#test/support/table/invariants.ts';
import { counted } from '#test/support/table/stream.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { liveThroughInterface } from '#test/wire/journey.ts';
import { openRecorder, type Recorder } from '#test/wire/recorder.ts';
import { people, type Person, questions } from '#test/service/version-1/questions.ts';

// A table written by version 1, and the replies its users got. Every later version must read it and return the same,
// with additional fields at most. The file never changes: a new format gets a separate table, made with RECORD_TABLE=1.

const file = new URL('table.jsonl', import.meta.url);
const later = new Date(NOW.getTime() + 40 * 86_400_000);

type Item = Record<string, unknown>;
type Ask = (person: Person, request: string, body?: unknown) => Promise<TestReply>;

const asStored = (_: string, value: unknown): unknown => {
  if (value instanceof Set) return { set: [...value] };
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
};
const asRead = (_: string, value: unknown): unknown => {
  const { set, bytes } = (value ?? {}) as { set?: unknown[]; bytes?: string };
  if (set) return new Set(set);
  return bytes === undefined ? value : new Uint8Array(Buffer.from(bytes, 'base64'));
};

let ask: Ask;
let recorder: Recorder;
let issuer: Awaited<ReturnType<typeof openIssuer>>;
let world: Awaited<ReturnType<typeof openWorld>>;
let answers: Record<string, unknown>;

beforeAll(async () => {
  [world, issuer] = await Promise.all([openWorld(), openIssuer()]);
  openProcessor();
  Object.assign(process.env, { STRIPE_CONNECT_CLIENT_ID: 'ca_example', STRIPE_SECRET_KEY: 'sk_example' });
  recorder = await openRecorder();
  if (process.env.RECORD_TABLE) await writeFile(file, await recorded());
  const [first, ...items] = (await readFile(file, 'utf8')).trim().split('\n');
  answers = JSON.parse(first!) as typeof answers;
  world = await openWorld();
  recorder = await openRecorder();
  for (const item of items) await world.replace(JSON.parse(item, asRead) as Item);
  ask = await signedIn();
});

/** Uses the whole interface, then sends the requests below. @returns the replies in the first line, then the items */
async function recorded(): Promise<string> {
  await liveThroughInterface({ ...world, counted: () => counted(world) }, issuer, recorder);
  await counted(world);
  const items = (await storedItems(world)).filter(({ pk }) => !String(pk).startsWith('WINDOW#'));
  ask = await signedIn();
  const told: [string, unknown][] = [];
  for (const { person, request } of questions) {
    const { status, body } = await ask(person, request);
    if (status !== 200) throw new Error(`${request} was answered ${status}`);
    told.push([`${person} ${request}`, body]);
  }
  return [Object.fromEntries(told), ...items].map((line) => `${JSON.stringify(line, asStored)}\n`).join('');
}

/** Signs in all users as accounts of the table. */
async function signedIn(): Promise<Ask> {
  const tokens = new Map<Person, string>();
  for (const [person, { email, name }] of Object.entries(people)) {
    const body = { id_token: await issuer.idToken({ sub: person, email, name }, { at: later }) };
    const { token } = (await recorder.ask('Signed in', 'POST /api/dashboard/v1/session', { body, at: later })).body
      .data;
    tokens.set(person as Person, token);
  }
  return (person, request, body) => recorder.ask('Asked', request, { key: tokens.get(person), at: later, body });
}

/** A CSV with only as many columns as a former one, whose cells contain no comma: new columns come behind the others. */
function firstColumns(csv: string, former: string): string {
  const columns = former.split('\r\n', 1)[0]!.split(',').length;
  return csv
    .split('\r\n')
    .map((line) => line.split(',').slice(0, columns).join(','))
    .join('\r\n');
}

it.each(questions)(
  'in a table that version 1 stored, $person gets the same reply as from version 1 to $request',
  async ({ person, request }) => {
    const { status, body } = await ask(person, request);
    const before = answers[`${person} ${request}`];
    const known = typeof before === 'string' ? firstColumns(String(body), before) : body;
    expect({ status, body: known }).toMatchObject({ status: 200, body: before });
  },
);

it('in a table that version 1 stored, a rebuild adds the counts of rejected commissions, which version 1 did not count', async () => {
  const path = '/api/dashboard/v1/programs/1';
  const rejected = async () => {
    const { totals } = (await ask('kim', `GET ${path}/performance?from=2026-11-19&to=2026-11-22`)).body.data;
    return totals.amounts.USD.rejected_cents;
  };
  expect(await rejected()).toBe(0);
  await rebuildMetrics(world.deps(later), 1, { wait: () => counted(world), probes: 3 });
  // Of the two rejections, one was made while a rule held the commission, which never counted.
  expect(await rejected()).toBe(180);
});

it('in a table that version 1 stored, new sales, and a refund of an old sale, are recorded', async () => {
  const program = '/api/dashboard/v1/programs/1';
  const { api_key: key } = (await ask('kim', `POST ${program}/api-key`, {})).body.data;
  const track = (what: string, body: unknown) =>
    recorder.ask('Tracked', `POST /api/v1/track/${what}`, { key, at: later, body });
  const cents = { amount_cents: 10_000, currency: 'USD' };
  expect(await track('sale', { ...cents, transaction_id: 'in_1001', customer_key: 'user_123' })).toMatchObject({
    status: 409,
  });
  const { click_id } = (await track('click', { affiliate_url: 'https://acme.test/?aff=ana' })).body;
  const sale = { ...cents, transaction_id: 'of-version-2', click_id };
  expect((await track('sale', sale)).status).toBe(200);
  expect((await track('sale', sale)).status).toBe(409);
  expect(await track('refund', { transaction_id: 'in_3001' })).toMatchObject({ status: 200 });
  const { sale: refunded } = (await ask('kim', `GET ${program}/sales/in_3001`)).body.data;
  expect(refunded).toMatchObject({ refunded_amount_cents: 4900 });
  expect((await ask('kim', `GET ${program}/owed`)).status).toBe(200);
});
