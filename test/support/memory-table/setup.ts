import { afterAll } from 'vitest';
import { answerFromMemory, MEMORY_ENDPOINT } from '#test/support/memory-table/client.ts';
import { dropTables } from '#test/support/memory-table/tables.ts';

/**
 * Vitest setup for tests without a database engine: tables are in memory, and are dropped at the end of a test file.
 */
const { DYNAMODB_ENDPOINT: before } = process.env;
process.env.DYNAMODB_ENDPOINT = MEMORY_ENDPOINT;
answerFromMemory();
afterAll(() => {
  dropTables();
  if (before === undefined) delete process.env.DYNAMODB_ENDPOINT;
  else process.env.DYNAMODB_ENDPOINT = before;
});
