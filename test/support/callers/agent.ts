import { handler as patchProgram } from '#functions/agent/program/patch.ts';
import { handler as getProgram } from '#functions/agent/program/get.ts';
import { handler as listPrograms } from '#functions/agent/programs/get.ts';
import { handler as getReadiness } from '#functions/agent/readiness/get.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

const ROOT = '/api/agent/v1/programs';

type Options = Pick<TestRequest, 'at' | 'headers' | 'ip' | 'query'>;
type Ask = (programId: number | string, body?: unknown, options?: Options) => Promise<TestReply>;

/**
 * Returns a client of the agent endpoints that uses this key. `list` needs no program, and only `update` has a body.
 */
export function agent(key: string | undefined): Readonly<Record<AgentCall, Ask>> {
  const about = (programId: number | string) => ({ key, pathParameters: { id: String(programId) } });
  return {
    list: (_id, _body, options) => send(listPrograms, { method: 'GET', path: ROOT, key, ...options }),
    read: (id, _body, options) => send(getProgram, { method: 'GET', path: `${ROOT}/${id}`, ...about(id), ...options }),
    update: (id, body, options) =>
      send(patchProgram, { method: 'PATCH', path: `${ROOT}/${id}`, ...about(id), body, ...options }),
    readiness: (id, _body, options) =>
      send(getReadiness, { method: 'GET', path: `${ROOT}/${id}/readiness`, ...about(id), ...options }),
  };
}

export type AgentCall = 'list' | 'read' | 'update' | 'readiness';

let agentKeys = 0;

/** Issues an agent key for the brand's workspace. */
export async function agentKeyOf(
  world: Pick<World, 'deps'>,
  { program }: Pick<Brand, 'program'>,
  scopes: readonly string[] = ['program:list', 'program:read', 'program:update', 'program:terms'],
): Promise<string> {
  const key = `agt_${String(++agentKeys).padStart(40, '0')}`;
  const credential = { class: 'agentKey', id: agentKeys, name: 'Tool', workspaceId: program.workspaceId, scopes };
  await world.deps().table.put(keys.credential(sha256(key)), credential);
  return key;
}
