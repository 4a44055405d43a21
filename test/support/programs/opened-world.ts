import { opened } from '#test/support/cases/opened.ts';
import { openWorld, type World, type WorldSettings } from '#test/support/programs/world.ts';

/** The service with a new table, opened before the other hooks and the tests of a file. */
export const openedWorld = (settings: WorldSettings = {}): World => opened(() => openWorld(settings));
