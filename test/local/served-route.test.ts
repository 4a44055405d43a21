import { describe, expect, it } from 'vitest';
import { matchRoute } from '#lib/local/served-route.ts';

const routes = [
  ['ANY', '/things/{id}'],
  ['GET', '/things/{id}'],
  ['GET', '/things/{id}/parts/{part}'],
  ['GET', '/things/newest'],
  ['ANY', '/things/oldest'],
  ['POST', '/things'],
].map(([method = '', path = '']) => ({ method, path, handler: async () => ({}) }));

function match(method: string, path: string): unknown[] | undefined {
  const matched = matchRoute(routes, method, path);
  return matched && [matched.route.method, matched.route.path, matched.pathParameters];
}

describe('a request meets', () => {
  it.each([
    ['POST', '/things', ['POST', '/things', {}]],
    ['GET', '/things/7', ['GET', '/things/{id}', { id: '7' }]],
    ['GET', '/things/7/parts/x', ['GET', '/things/{id}/parts/{part}', { id: '7', part: 'x' }]],
    ['GET', '/things/newest', ['GET', '/things/newest', {}]],
    ['GET', '/things/oldest', ['ANY', '/things/oldest', {}]],
    ['DELETE', '/things/newest', ['ANY', '/things/{id}', { id: 'newest' }]],
  ])('%s %s → %j', (method, path, expected) => {
    expect(match(method, path)).toEqual(expected);
  });
});

it('decodes parameters, and keeps what cannot be decoded', () => {
  expect(match('GET', '/things/a%2Fb')?.[2]).toEqual({ id: 'a/b' });
  expect(match('GET', '/things/100%')?.[2]).toEqual({ id: '100%' });
});

describe('no route takes', () => {
  it.each([
    ['GET', '/things'],
    ['POST', '/things/'],
    ['GET', '/things/'],
    ['GET', '/Things/7'],
    ['GET', '/things/7/'],
    ['GET', '/things/7/parts'],
  ])('%s %s', (method, path) => {
    expect(match(method, path)).toBeUndefined();
  });
});
