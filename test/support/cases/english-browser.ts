import { vi } from 'vitest';

/** Vitest setup: the pages' texts are asserted as in a browser whose first language is American English. */
vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
