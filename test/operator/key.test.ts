import { beforeEach, describe, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { signedUp } from '#test/support/payments/lives/journeys.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';
import { opened } from '#test/support/cases/opened.ts';

const DEADLINE = '2026-12-01T00:00:00.000Z';
const LATER = new Date('2026-11-21T08:00:00.000Z');
const ROTATION_HEADERS = ['Deprecation', 'Sunset', 'Link'];

let keys = 0;
const legacyKey = () => `an-older-key-of-brand-${++keys}`;

const world = openedWorld();
const brand = opened(() => world.brand(), beforeEach);

const credential = (key: string) => world.items(`CREDENTIAL#${sha256(key)}`);
const program = async ({ program: { id } }: Brand) =>
  (await world.items(`PROGRAM#${id}`)).find(({ sk }) => sk === 'PROGRAM');
const ask = (key: string, at = NOW) => send(sale, { key, body: {}, at });
const works = async (key: string, at = NOW) => (await ask(key, at)).status === 400;
const mark = (deadline = DEADLINE, at = NOW) =>
  operated(world, `key mark-rotation --program ${brand.program.id} --deadline ${deadline}`, at);
const clear = () => operated(world, `key clear-rotation --program ${brand.program.id}`);
const imported = (key: string, at = NOW) =>
  operated(world, ['key', 'import-legacy', '--program', `${brand.program.id}`, '--key', key], at);

describe('the operator’s command `key mark-rotation`', () => {
  it('stores the time and the deadline with the program’s present key', async () => {
    const before = await credential(brand.key);
    expect(await mark('2026-12-01T02:00:00+02:00')).toEqual({
      program_id: brand.program.id,
      rotation_marked_at: NOW.toISOString(),
      rotation_deadline: DEADLINE,
    });
    const marked = { rotationMarkedAt: NOW.toISOString(), rotationDeadline: DEADLINE };
    expect(await credential(brand.key)).toEqual([{ ...before[0], ...marked }]);
  });

  it('adds the rotation headers and the warning to the next reply to a sale', async () => {
    await mark();
    await signedUp(brand, 'u1');
    const body = { transaction_id: `marked ${brand.program.id}`, amount_cents: 4900, customer_key: 'u1' };
    const reply = await send(sale, { key: brand.key, body });
    expect(reply).toMatchObject({
      status: 200,
      headers: { Deprecation: '@1795186800', Sunset: 'Tue, 01 Dec 2026 00:00:00 GMT' },
      body: { warnings: [{ code: 'api_key_rotation_required', rotate_by: DEADLINE }] },
    });
  });

  it('retires the key at once if the deadline is in the past', async () => {
    await mark('2026-11-20T15:00:00Z');
    const { status, body } = await ask(brand.key);
    expect([status, body.error.code]).toEqual([401, 'api_key_rotation_required']);
  });

  it('replaces time and deadline when it is repeated', async () => {
    await mark();
    await mark('2027-01-01T00:00:00Z', LATER);
    expect(await credential(brand.key)).toMatchObject([
      { rotationMarkedAt: LATER.toISOString(), rotationDeadline: '2027-01-01T00:00:00.000Z' },
    ]);
  });

  it('prints the same result as text and as JSON', async () => {
    const command = `key mark-rotation --program ${brand.program.id} --deadline ${DEADLINE}`;
    const line = `The key of program ${brand.program.id} must be replaced by ${DEADLINE}.`;
    expect(await operator(world, command)).toEqual({ code: 0, out: [line], error: [] });
  });
});

describe('the operator’s command `key clear-rotation`', () => {
  it('removes the mark for rotation and changes nothing else', async () => {
    const before = await credential(brand.key);
    await mark();
    expect(await clear()).toEqual({ program_id: brand.program.id, cleared: true });
    expect(await credential(brand.key)).toEqual(before);
    const { headers, body } = await ask(brand.key);
    expect(ROTATION_HEADERS.filter((name) => name in headers)).toEqual([]);
    expect(body).not.toHaveProperty('warnings');
  });

  it('makes a retired key valid again', async () => {
    await mark('2026-11-01T00:00:00Z');
    await clear();
    expect(await works(brand.key)).toBe(true);
  });

  it('prints the same result for a key that is not marked', async () => {
    const before = await credential(brand.key);
    expect(await clear()).toEqual({ program_id: brand.program.id, cleared: true });
    expect(await credential(brand.key)).toEqual(before);
  });
});

describe('the operator’s command `key import-legacy`', () => {
  it('replaces the program’s key and its mark for rotation by the imported key in one step', async () => {
    await mark();
    const before = await program(brand);
    const key = legacyKey();
    expect(await imported(key, LATER)).toEqual({
      program_id: brand.program.id,
      api_token_masked: `****${key.slice(-4)}`,
    });
    expect(await credential(brand.key)).toEqual([]);
    const name = `CREDENTIAL#${sha256(key)}`;
    expect(await credential(key)).toEqual([{ pk: name, sk: name, class: 'programKey', programId: brand.program.id }]);
    expect(await program(brand)).toEqual({
      ...before,
      keyHash: sha256(key),
      keyMasked: `****${key.slice(-4)}`,
      updatedAt: LATER.toISOString(),
    });
    expect(JSON.stringify(await allItems(world))).not.toContain(key);
    expect(await works(key)).toBe(true);
    expect(await ask(brand.key)).toMatchObject({
      status: 401,
      body: codedError(401, 'unauthorized', 'Invalid API token'),
    });
  });

  it.each(['!'.repeat(16), '~'.repeat(255), 'Aff_not_the_prefix', '-begins-with-a-dash'])(
    'accepts %s as the key to import',
    async (key) => {
      const masked = { program_id: brand.program.id, api_token_masked: `****${key.slice(-4)}` };
      expect(
        await operated(world, ['key', 'import-legacy', '--program', `${brand.program.id}`, `--key=${key}`]),
      ).toEqual(masked);
      expect(await works(key)).toBe(true);
    },
  );

  it('fails if any program already has the key, even this one', async () => {
    const key = legacyKey();
    await imported(key);
    const other = await world.brand();
    for (const {
      program: { id },
    } of [brand, other]) {
      const before = await allItems(world);
      expect(await refusedWith(world, `key import-legacy --program ${id} --key ${key}`)).toBe(
        'This key is already in use',
      );
      expect(await allItems(world)).toEqual(before);
    }
    expect([await works(key), await works(other.key)]).toEqual([true, true]);
  });

  it('fails if another program imports the same key in parallel', async () => {
    const [other, key] = [await world.brand(), legacyKey()];
    const importTo = ({ program: { id } }: Brand) => `key import-legacy --program ${id} --key ${key}`;
    const overtaken = overtakenBy(() => operated(world, importTo(brand)));
    const { code, error } = await failing('write', overtaken, () => operator(world, importTo(other)));
    expect([code, error]).toEqual([1, ['This key is already in use']]);
    expect(await credential(key)).toMatchObject([{ programId: brand.program.id }]);
    expect(await works(other.key)).toBe(true);
  });

  it('leaves the program with one key if another import, or a new key by the owner, happens in parallel', async () => {
    const candidates = [legacyKey(), legacyKey()];
    await failing(
      'write',
      overtakenBy(() => imported(candidates[0]!)),
      () => imported(candidates[1]!),
    );
    const { key } = await failing(
      'write',
      overtakenBy(() => imported(legacyKey())),
      () => generateProgramKey(world.deps(), brand.program.id),
    );
    const all = await allItems(world);
    const left = all.filter((item) => item.class === 'programKey' && item.programId === brand.program.id);
    expect(left).toMatchObject([{ pk: `CREDENTIAL#${sha256(key)}` }]);
  });
});

it('`key mark-rotation` and `key clear-rotation` change the newest key if an owner replaces the key in parallel', async () => {
  let replaced = '';
  const overtaken = overtakenBy(async () => {
    replaced = (await generateProgramKey(world.deps(), brand.program.id)).key;
  });
  await failing('write', overtaken, () => mark());
  expect(await credential(brand.key)).toEqual([]);
  expect(await credential(replaced)).toMatchObject([{ rotationDeadline: DEADLINE }]);
  const marked = replaced;
  await failing('write', overtaken, () => clear());
  expect(await credential(marked)).toEqual([]);
  expect(await credential(replaced)).toEqual([expect.not.objectContaining({ rotationDeadline: DEADLINE })]);
});

it.each([
  'mark-rotation --program 999999 --deadline 2026-12-01T00:00:00Z',
  'clear-rotation --program 999999',
  'import-legacy --program 999999 --key a-key-nobody-has',
])('the command `key %s` fails with “Program not found”', async (command) => {
  expect(await refusedWith(world, `key ${command}`)).toBe('Program not found');
});
