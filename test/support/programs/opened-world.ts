import { opened } from '#test/support/cases/opened.ts';
import { openWorld, type World, type WorldSettings } from '#test/support/programs/world.ts';

/** Opens the service with a new table before the tests of a file, and before the file's other hooks. */
export const openedWorld = (settings: WorldSettings = {}): World => opened(() => openWorld(settings));
