import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, vi } from 'vitest';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { invokeBy } from '#test/support/callers/request.ts';

const UNDO = Symbol.for('undo what the last test file did');

/**
 * Vitest's setup: each test file is a separate installation. How its requests are sent, its environment and globals,
 * and the container made from them end with the file, also if the next one runs in the same process. Vitest runs no
 * hook of a file whose tests are all filtered out, so the next file ends that one.
 */
const undoLast: unknown = Reflect.get(globalThis, UNDO);
if (typeof undoLast === 'function') undoLast();
invokeBy();
const environment = { ...process.env };
const { fetch } = globalThis;
/** Faults and call counters replace it; two overlapping ones could leave one behind. */
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
