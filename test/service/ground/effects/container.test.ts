import { expect, it } from 'vitest';
import { createContainer } from '#lib/service/ground/effects/container.ts';

const container = (BASE_URL = 'https://track.test') =>
  createContainer({
    TABLE_NAME: 'service',
    BASE_URL,
    DASHBOARD_URL: 'https://track.test',
    DOCS_URL: 'https://track.test/docs/errors',
  });

const addressOf = ({ baseUrl }: { readonly baseUrl: string }) => ({ baseUrl });

it('once() makes each part of a container only once per container, from that container’s configuration', () => {
  const [one, other] = [container(), container('https://other.test')];
  expect(one.once(addressOf)).toEqual({ baseUrl: 'https://track.test' });
  expect(one.once(addressOf)).toBe(one.once(addressOf));
  expect(other.once(addressOf)).toEqual({ baseUrl: 'https://other.test' });
});

it('once() makes a part again at the next call if making it failed', () => {
  const { once } = container();
  let attempts = 0;
  const make = () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return attempts;
  };
  expect(() => once(make)).toThrow('not yet');
  expect([once(make), once(make)]).toEqual([2, 2]);
});
