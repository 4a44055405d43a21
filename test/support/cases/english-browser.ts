import { vi } from 'vitest';

/** Vitest setup: tests compare the pages' texts as a browser shows them whose first language is American English. */
vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
