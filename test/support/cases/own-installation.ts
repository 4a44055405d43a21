import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, vi } from 'vitest';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { invokeBy } from '#test/support/callers/request.ts';

const UNDO = Symbol.for('undo what the last test file did');

/**
 * Vitest setup: each test file has a separate installation. At the end of a file, its changes to the environment, to
 * globals and to the sending of requests are undone, and its container is discarded. If all tests of a file are
 * filtered out, Vitest runs no hooks for it; the next file then cleans up.
 */
const undoLast: unknown = Reflect.get(globalThis, UNDO);
if (typeof undoLast === 'function') undoLast();
invokeBy();
const environment = { ...process.env };
const { fetch } = globalThis;
/**
 * The SDK's original method. Tests replace it to inject faults. If replacements overlap, one of them may remain, so
 * each file restores the original.
 */
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
