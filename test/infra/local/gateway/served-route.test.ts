import { describe, expect, it } from 'vitest';
import { matchRoute } from '#infra/local/gateway/served-route.ts';

const routes = [
  ['ANY', '/things/{id}'],
  ['GET', '/things/{id}'],
  ['GET', '/things/{id}/parts/{part}'],
  ['GET', '/things/newest'],
  ['ANY', '/things/oldest'],
  ['POST', '/things'],
  ['GET', '/things/{id}/files/{file+}'],
  ['GET', '/things/{id}/files/newest'],
].map(([method = '', path = '']) => ({ method, path, handler: async () => ({}) }));

function match(method: string, path: string): unknown[] | undefined {
  const matched = matchRoute(routes, method, path);
  return matched && [matched.route.method, matched.route.path, matched.pathParameters];
}

describe('servedRoute finds the route that API Gateway would use', () => {
  it.each([
    ['POST', '/things', ['POST', '/things', {}]],
    ['GET', '/things/7', ['GET', '/things/{id}', { id: '7' }]],
    ['GET', '/things/7/parts/x', ['GET', '/things/{id}/parts/{part}', { id: '7', part: 'x' }]],
    ['GET', '/things/newest', ['GET', '/things/newest', {}]],
    ['GET', '/things/oldest', ['ANY', '/things/oldest', {}]],
    ['DELETE', '/things/newest', ['ANY', '/things/{id}', { id: 'newest' }]],
  ])('for %s %s, with its path parameters: %j', (method, path, expected) => {
    expect(match(method, path)).toEqual(expected);
  });
});

describe('the path of a local request is decoded once, before its route is found', () => {
  it.each([
    ['a%20b', 'a b'],
    ['%C3%BC', 'ü'],
    ['%F0%9F%92%B6', '💶'],
    ['a+b', 'a+b'],
    ['a%252Fb', 'a%2Fb'],
    ['100%', '100%'],
    ['..', '..'],
    ['%2E%2E', '..'],
    ['a%0Ab', 'a\nb'],
    ['(.*)', '(.*)'],
  ])('so %s in the path becomes the parameter value %s', (segment, id) => {
    expect(match('GET', `/things/${segment}`)).toEqual(['GET', '/things/{id}', { id }]);
  });

  it('so an encoded slash separates two segments, and only a parameter such as {file+} matches both', () => {
    expect(match('GET', '/things/a%2Fb')).toBeUndefined();
    expect(match('GET', '/things/7/files/a%2Fb/c')).toEqual([
      'GET',
      '/things/{id}/files/{file+}',
      { id: '7', file: 'a/b/c' },
    ]);
    expect(match('GET', '/things/7/files/a%0A//b/')?.[2]).toEqual({ id: '7', file: 'a\n//b/' });
    expect(match('GET', '/things/7/files/newest')?.[1]).toBe('/things/{id}/files/newest');
  });

  it('so an encoded question mark ends the path, as a plain one does', () => {
    expect(match('GET', '/things/a%3Fb')).toEqual(['GET', '/things/{id}', { id: 'a' }]);
  });
});

describe('servedRoute finds no route', () => {
  it.each([
    ['GET', '/things'],
    ['POST', '/things/'],
    ['GET', '/things/'],
    ['GET', '/Things/7'],
    ['GET', '/things/7/'],
    ['GET', '/things/7/parts'],
    ['GET', '/things/7/files'],
    ['GET', '/things/7/files/'],
  ])('for %s %s', (method, path) => {
    expect(match(method, path)).toBeUndefined();
  });
});
