import { beforeAll, type beforeEach } from 'vitest';

/** An object whose fields are set before the other hooks and the tests of a file, or before each test. */
export function opened<Opened extends object>(
  open: () => Promise<Opened>,
  before: typeof beforeAll | typeof beforeEach = beforeAll,
): Opened {
  const result = {} as Opened;
  before(async () => void Object.assign(result, await open()));
  return result;
}
