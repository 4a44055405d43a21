import { expect, it } from 'vitest';
import type { Api } from '#lib/apps/web/api/api.ts';
import { loadBlocker } from '#lib/apps/dashboard/overview/load-blocker.ts';

it('the dashboard asks the service for a program’s next set-up step, and no longer once the set-up is complete', async () => {
  const answers = ['tracking', null];
  const asked: string[] = [];
  const get = async (path: string) => {
    asked.push(path);
    return { blocker: answers.shift() };
  };
  const api = { get } as unknown as Api;
  const seen = [];
  for (let visit = 0; visit < 3; visit += 1) seen.push(await loadBlocker(api, '/programs/7'));
  expect(seen).toEqual(['tracking', null, null]);
  expect(asked).toEqual(['/programs/7/readiness', '/programs/7/readiness']);
});
