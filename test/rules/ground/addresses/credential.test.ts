import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  looksLike,
  maskKey,
  mayBeOlderKey,
  programIdHint,
  programKeyOf,
  sha256,
} from '#lib/service/ground/addresses/credential.ts';

const SECRET = 'A'.repeat(32);

describe('looksLike, which recognises credentials by their format,', () => {
  it.each([
    ['programKey', `aff_1_${SECRET}`],
    ['agentKey', `agt_${'b'.repeat(40)}`],
    ['loginToken', `lgn_${'C'.repeat(40)}`],
  ] as const)('recognises the format of a %s and no other format', (shape, token) => {
    const others = (['programKey', 'agentKey', 'loginToken'] as const).filter((name) => name !== shape);
    expect(looksLike(token, [shape])).toBe(true);
    expect(looksLike(token, others)).toBe(false);
    expect(looksLike(token, [])).toBe(false);
  });

  it.each([`aff_1_${SECRET}x`, `aff_1_${SECRET.slice(1)}`, `aff_1A_${SECRET}`, `aff__${SECRET}`, SECRET])(
    'does not recognise %s as a program key',
    (token) => {
      expect(looksLike(token, ['programKey'])).toBe(false);
    },
  );
});

describe('programIdHint, which reads the program id in a key,', () => {
  it('finds the program id in every key that the service issues', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (programId) => {
        expect(programIdHint(programKeyOf(programId, SECRET))).toBe(programId);
      }),
    );
  });

  it.each(['old-key-without-structure', `aff_zzzzzzzzzzz_${SECRET}`, ''])('finds no program id in %j', (token) => {
    expect(programIdHint(token)).toBeUndefined();
  });
});

describe('mayBeOlderKey, which recognises imported keys that contain no program id,', () => {
  it.each(['!'.repeat(16), '~'.repeat(255), 'AFF_in_other_case', 'not-at-the-start-aff_'])('accepts %s', (key) => {
    expect(mayBeOlderKey(key)).toBe(true);
  });

  it.each([
    'x'.repeat(15),
    'x'.repeat(256),
    ...['aff_', 'agt_', 'lgn_'].map((prefix) => prefix + 'x'.repeat(32)),
    ...[' ', '\t', '\n', '\u0000', '\u007f', 'é', '😀'].map((character) => `${'x'.repeat(16)}${character}`),
  ])('refuses %j', (key) => {
    expect(mayBeOlderKey(key)).toBe(false);
  });
});

it.each([
  ['aff_1_AAAAwxyz', 'aff_****wxyz'],
  ['an-older-key-wxyz', '****wxyz'],
])('the credential %s is shown masked as %s', (key, masked) => {
  expect(maskKey(key)).toBe(masked);
});

it('the hash of a credential is the SHA-256 of all of its characters', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
