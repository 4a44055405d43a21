import { expect, it } from 'vitest';
import type { Api } from '#lib/apps/web/api/api.ts';
import { apiAs } from '#lib/apps/portal/view-as.ts';

it('every request of an owner who views the portal as a partner names that partner', async () => {
  const asked: unknown[] = [];
  const note =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<never> => {
      asked.push([name, ...args]);
      return undefined as never;
    };
  const api: Api = {
    answer: note('answer'),
    get: note('get'),
    send: note('send'),
    upload: note('upload'),
    download: note('download'),
    today: () => '2026-11-23',
    now: () => '2026-11-23T10:00:00.000Z',
  };
  const seen = apiAs(api, '9');
  await seen.answer('/programs/1/links', { limit: 100 });
  await seen.get('/programs/1');
  await seen.download('/programs/1/commissions.csv', { status: 'paid' });
  await seen.send('POST', '/programs/1/leave', {});
  const file = new Blob([]);
  await seen.upload('/programs/1/file', file);
  expect(asked).toEqual([
    ['answer', '/programs/1/links', { limit: 100, as: '9' }],
    ['get', '/programs/1', { as: '9' }],
    ['download', '/programs/1/commissions.csv', { status: 'paid', as: '9' }],
    ['send', 'POST', '/programs/1/leave?as=9', {}],
    ['upload', '/programs/1/file?as=9', file],
  ]);
  expect(seen.today()).toBe('2026-11-23');
});
