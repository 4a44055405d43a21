import { describe, expect, it } from 'vitest';
import { parseAuthorization } from '#lib/service/http/callers/authorization.ts';

describe('parseAuthorization, which reads the header Authorization,', () => {
  it.each([undefined, '', 'Basic x', 'Bearerx', 'bearer x', 'BEARER x', ' Bearer x', 'Token Bearer x'])(
    'refuses %j as malformed',
    (header) => {
      expect(parseAuthorization(header)).toEqual({ scheme: 'malformed' });
    },
  );

  it.each([
    ['Bearer', ''],
    ['Bearer ', ''],
    ['Bearer \t ', ''],
    ['Bearer x', 'x'],
    ['Bearer   x  ', 'x'],
    ['Bearer\tx', 'x'],
    ['Bearer a b', 'a b'],
  ])('reads %j as the token %j', (header, token) => {
    expect(parseAuthorization(header)).toEqual({ scheme: 'bearer', token });
  });
});
