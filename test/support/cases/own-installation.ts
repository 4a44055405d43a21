import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, vi } from 'vitest';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { invokeBy } from '#test/support/callers/request.ts';

const UNDO = Symbol.for('undo what the last test file did');

/**
 * Vitest's setup: each test file is an installation of its own. How its requests are sent, what it puts into the
 * environment and into globals, and the container made from it end with the file, also where the next one runs in the
 * same process. Vitest runs no hook of a file whose tests are all filtered out, so the next file ends that one.
 */
const undoLast: unknown = Reflect.get(globalThis, UNDO);
if (typeof undoLast === 'function') undoLast();
invokeBy();
const environment = { ...process.env };
const { fetch } = globalThis;
/** Faults and counts of calls replace it; two that overlap could leave one behind. */
const send: unknown = Reflect.get(DynamoDBDocumentClient.prototype, 'send');

function undo(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  globalThis.fetch = fetch;
  Object.assign(DynamoDBDocumentClient.prototype, { send });
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  discardContainer();
  Reflect.deleteProperty(globalThis, UNDO);
}
Reflect.set(globalThis, UNDO, undo);
afterAll(undo);
