import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { createTracker } from '#lib/apps/tracker/create-tracker.ts';
import { fakePage, settled } from '#test/apps/tracker/fake-page.ts';

const run = promisify(execFile);
const options = { programId: 430, apiBase: 'https://ref.example.com' };

afterEach(() => void vi.unstubAllGlobals());

it('createTracker, imported as a module, uses the global window, and does not change the options object', async () => {
  const page = fakePage({ url: 'https://www.brand.test/?aff=ana' });
  vi.stubGlobal('window', page);
  const tracker = createTracker(Object.freeze({ ...options }));
  tracker.init({ debug: true });
  await settled();
  expect(tracker.getData()).toEqual({
    clickId: 'clk_1',
    programId: 430,
    hasAttribution: true,
    affiliateUrl: 'https://www.brand.test/?aff=ana',
  });
  expect(tracker.debugMode).toBe(true);
});

it('createTracker on a server has no data, sends nothing, and logs that servers send leads with the program key instead', async () => {
  const script = `
    const { createTracker } = await import('#lib/apps/tracker/create-tracker.ts');
    const tracker = createTracker(${JSON.stringify(options)});
    await tracker.signup('user_123', 'jo@example.com');
    console.log(JSON.stringify(tracker.getData()));`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect(JSON.parse(stdout)).toEqual({ clickId: null, programId: 430, hasAttribution: false, affiliateUrl: null });
  expect(stderr).toContain(
    '[Affiliate] lead Error: There is no visitor here. From a server, send leads with the program key.',
  );
  expect(stderr).not.toContain('jo@example.com');
});
