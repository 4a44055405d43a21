import { beforeEach, describe, expect, it } from 'vitest';
import { handler as notFound } from '#functions/not-found.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { createTestTable } from '#test/support/table/create-table.ts';
import { failing, overtakenBy } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { operated, operator, refusedWith } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const LATER = new Date('2026-11-21T08:00:00.000Z');
const MUCH_LATER = new Date('2026-12-21T08:00:00.000Z');
const FORMAT = /^agt_[0-9A-Za-z]{40}$/;

const world = openedWorld();
let workspaceId: number;
beforeEach(async () => {
  workspaceId = (await world.brand()).program.workspaceId;
});

const issue = (scopes = 'program:list,program:read', name = 'Reporting') =>
  operated(world, ['agent-key', 'issue', '--workspace', `${workspaceId}`, '--scopes', scopes, '--name', name]);
const credentialOf = (key: string) => world.items(`CREDENTIAL#${sha256(key)}`);
const registered = async (id: number) => (await world.items('AGENT_KEYS')).filter((item) => item.id === id);

/** Whether a key is known: requests with a known agent key share one limit from any address. */
async function isKnown(key: string): Promise<boolean> {
  const request = { method: 'GET', path: '/api/agent/v1/anything', key };
  const [first, second] = [await send(notFound, request), await send(notFound, request)];
  return first.headers['X-RateLimit-Remaining'] !== second.headers['X-RateLimit-Remaining'];
}

describe('the operator’s command `agent-key issue`', () => {
  it('returns the key and stores only its SHA-256', async () => {
    const issued = await issue();
    expect(issued).toEqual({
      id: expect.any(Number),
      key: expect.stringMatching(FORMAT),
      workspace_id: workspaceId,
      scopes: ['program:list', 'program:read'],
      name: 'Reporting',
    });
    const hash = sha256(issued.key);
    const facts = { id: issued.id, workspaceId, name: 'Reporting', scopes: ['program:list', 'program:read'] };
    expect(await credentialOf(issued.key)).toEqual([
      { pk: `CREDENTIAL#${hash}`, sk: `CREDENTIAL#${hash}`, class: 'agentKey', ...facts },
    ]);
    expect(await registered(issued.id)).toEqual([
      { pk: 'AGENT_KEYS', sk: `${issued.id}`.padStart(16, '0'), ...facts, hash, createdAt: NOW.toISOString() },
    ]);
    expect(JSON.stringify(await allItems(world))).not.toContain(issued.key);
    expect(await isKnown(issued.key)).toBe(true);
  });

  it('prints the same result as text and as JSON', async () => {
    const words = ['agent-key', 'issue', '--workspace', `${workspaceId}`, '--scopes', 'program:list', '--name', 'n'];
    const { code, out, error } = await operator(world, words);
    expect([code, error]).toEqual([0, []]);
    const [line, key] = out.join('\n').split('\n');
    expect(line).toMatch(new RegExp(`^Agent key \\d+ of workspace ${workspaceId}\\. Its value is shown this once:$`));
    expect(key).toMatch(FORMAT);
    expect(await isKnown(key!)).toBe(true);
  });

  it('stores each scope once, in the order of the command, and the name without spaces around it', async () => {
    const issued = await issue('program:update, program:list ,program:update', '  Tool of Jane  ');
    expect(issued).toMatchObject({ scopes: ['program:update', 'program:list'], name: 'Tool of Jane' });
  });

  it('makes a key that the tracking endpoints refuse', async () => {
    const { key } = await issue();
    const { status, body } = await send(sale, { key, body: {} });
    expect([status, body]).toEqual([401, codedError(401, 'unauthorized', 'Invalid API token')]);
  });

  it('refuses an unknown workspace and writes nothing', async () => {
    const before = await allItems(world);
    const message = await refusedWith(world, 'agent-key issue --workspace 999999 --scopes program:list --name n');
    expect(message).toBe('Workspace not found');
    expect(await allItems(world)).toEqual(before);
  });
});

describe('the operator’s command `agent-key revoke`', () => {
  it('invalidates the key at once, and keeps its entry with the time', async () => {
    const { id, key } = await issue();
    const [entry] = await registered(id);
    expect(await operated(world, `agent-key revoke ${id}`, LATER)).toEqual({ id, revoked: true });
    expect(await credentialOf(key)).toEqual([]);
    expect(await registered(id)).toEqual([{ ...entry, revokedAt: LATER.toISOString() }]);
    expect(await isKnown(key)).toBe(false);
  });

  it('changes nothing if the key is already revoked, even if another request revokes it in parallel', async () => {
    const { id } = await issue();
    const revoke = (at: Date) => operated(world, `agent-key revoke ${id}`, at);
    const overtaken = overtakenBy(() => revoke(LATER));
    expect(await failing('write', overtaken, () => revoke(MUCH_LATER))).toEqual({ id, revoked: true });
    expect(await revoke(MUCH_LATER)).toEqual({ id, revoked: true });
    expect(await registered(id)).toMatchObject([{ revokedAt: LATER.toISOString() }]);
  });

  it('affects no other key', async () => {
    const [revoked, other] = [await issue(), await issue()];
    await operated(world, `agent-key revoke ${revoked.id}`);
    expect(await isKnown(other.key)).toBe(true);
  });

  it('refuses an unknown id', async () => {
    expect(await refusedWith(world, 'agent-key revoke 999999')).toBe('Agent key not found');
  });
});

describe('the operator’s command `agent-key list`', () => {
  it('prints an empty list before a key is issued', async () => {
    const empty = { tableName: await createTestTable() };
    expect(await operated(empty, 'agent-key list')).toEqual({ keys: [] });
    expect((await operator(empty, 'agent-key list')).out).toEqual(['No agent key was issued.']);
  });

  it('lists every key, including revoked ones, in the order of issue and without the keys themselves', async () => {
    const { keys: before } = await operated(world, 'agent-key list');
    const issued = [];
    for (let n = 1; n <= 11; n++) issued.push(await issue('program:list', `Tool ${n}`));
    await operated(world, `agent-key revoke ${issued[1].id}`, LATER);

    const { keys } = await operated(world, 'agent-key list', LATER);
    expect(keys.slice(0, before.length)).toEqual(before);
    expect(keys.slice(before.length)).toEqual(
      issued.map(({ id, name }) => ({
        id,
        name,
        workspace_id: workspaceId,
        scopes: ['program:list'],
        created_at: NOW.toISOString(),
        revoked_at: name === 'Tool 2' ? LATER.toISOString() : null,
      })),
    );
    const { out } = await operator(world, 'agent-key list');
    expect(
      out
        .join('\n')
        .split('\n')
        .slice(before.length, before.length + 2),
    ).toEqual([
      `${issued[0].id}  Tool 1  workspace ${workspaceId}  program:list`,
      `${issued[1].id}  Tool 2  workspace ${workspaceId}  program:list  revoked ${LATER.toISOString()}`,
    ]);
    for (const { key } of issued) expect(JSON.stringify([keys, out])).not.toContain(key);
  });
});
