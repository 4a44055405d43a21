import { beforeAll } from 'vitest';
import { openWorld, type World, type WorldSettings } from '#test/support/programs/world.ts';

/** The service with a new table, opened before the other hooks and the tests of a file. */
export function openedWorld(settings: WorldSettings = {}): World {
  const world = {};
  beforeAll(async () => void Object.assign(world, await openWorld(settings)));
  return world as World;
}
