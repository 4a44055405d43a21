import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, vi } from 'vitest';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { invokeBy } from '#test/support/callers/request.ts';

const UNDO = Symbol.for('undo what the last test file did');

/**
 * Vitest setup: each test file is a separate installation. When the file ends, its changes to the environment, to
 * globals and to the sending of requests are undone, and its container ends. Vitest runs no hooks of a file whose tests
 * are all filtered out, so the next file cleans up after it.
 */
const undoLast: unknown = Reflect.get(globalThis, UNDO);
if (typeof undoLast === 'function') undoLast();
invokeBy();
const environment = { ...process.env };
const { fetch } = globalThis;
/** The SDK's original method. Tests replace it to inject faults; overlapping replacements could leave one behind. */
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
