import { afterAll, vi } from 'vitest';

// Vitest's setup where test files share a process: each of them gets our own modules anew, and with them empty
// containers and caches, while packages stay loaded. What it leaves in the process's globals is put back.

vi.resetModules();
const environment = { ...process.env };
const { fetch } = globalThis;

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  globalThis.fetch = fetch;
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
