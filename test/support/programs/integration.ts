import { handler as status } from '#functions/cli/status.ts';
import { handler as testEvent } from '#functions/cli/test-event.ts';
import { handler as readiness } from '#functions/programs/readiness.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { hourOf } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

// Requests that a brand's server makes during its integration. Each uses the brand's program key.

type Options = Omit<TestRequest, 'key' | 'method' | 'path'>;

export const askReadiness = (key: string | undefined, options: Options = {}): Promise<TestReply> =>
  send(readiness, { method: 'GET', path: '/api/v1/programs/me/readiness', key, ...options });

export const askStatus = (key: string | undefined, options: Options = {}): Promise<TestReply> =>
  send(status, { method: 'GET', path: '/api/v1/cli/status', key, ...options });

export const sendTestEvent = (key: string | undefined, body: unknown, options: Options = {}): Promise<TestReply> =>
  send(testEvent, { path: '/api/v1/cli/test-event', key, body, ...options });

export const runChain = (key: string | undefined, options: Options = {}): Promise<TestReply> =>
  sendTestEvent(key, { type: 'chain' }, options);

/** Damages the test link that a program's verification uses. A value of undefined removes the attribute. */
export const damageTestLink = (world: World, { program }: Pick<Brand, 'program'>, set: Record<string, unknown>) =>
  world.deps().table.update(keys.link(`afftest${program.id}`), { set });

/** Creates a key in the format of an older system, and uses it as the brand's program key. */
export async function importedKey(world: World, { program }: Pick<Brand, 'program'>): Promise<string> {
  const key = `an-older-key-of-program-${program.id}`;
  const credential = { class: 'programKey', programId: program.id, lastUsedAt: hourOf(NOW) };
  await world.deps().table.put(keys.credential(sha256(key)), credential);
  return key;
}
