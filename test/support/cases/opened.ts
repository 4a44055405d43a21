import { beforeAll, type beforeEach } from 'vitest';

/**
 * Returns an object that is filled later: before the tests of a file, and before its other hooks, or before each test.
 */
export function opened<Opened extends object>(
  open: () => Promise<Opened>,
  before: typeof beforeAll | typeof beforeEach = beforeAll,
): Opened {
  const result = {} as Opened;
  before(async () => void Object.assign(result, await open()));
  return result;
}
