import { describe, expect, it } from 'vitest';
import { isReadable, sepaName, sepaText, withoutFormula } from '#lib/service/earnings/files/bank-text.ts';

describe('a text written into a bank file', () => {
  it.each([
    ['Ana Doe', 'Ana Doe'],
    ['Zoë Müller-Weiß', 'Zoe Muller-Weiss'],
    ['ÆØŒŁĐ æøœłđ ẞ', 'AEOOELD aeooeld SS'],
    ['A & B <Ltd> "x" € ½', 'A . B .Ltd. .x. . 1.2'],
    ["a/b-c?d:e(f)g.h,i'j+k 1", "a/b-c?d:e(f)g.h,i'j+k 1"],
    ['=+-@\t\rAna', 'Ana'],
    ['山田 太郎', '.. ..'],
    ['😀', '.'],
    ['a\u0000b\nc', 'a.b.c'],
    ['ﬁ', 'fi'],
  ])('is converted from %j to %j', (from, to) => {
    expect(sepaName(from)).toBe(to);
  });

  it('is cut to the maximum length only after its characters were converted', () => {
    expect(sepaName('ß'.repeat(40))).toBe('s'.repeat(70));
    expect(sepaText('é'.repeat(200), 140)).toBe('e'.repeat(140));
  });

  it.each([
    ['=1+1', '1+1'],
    ['+-=@ Ana', 'Ana'],
    ['Ana;=1+1', 'Ana;1+1'],
    ['Ana - Ben', 'Ana - Ben'],
    ['＝１', '１'],
    ['--', ''],
  ])('loses the characters that would begin a formula in a spreadsheet: %j becomes %j', (from, to) => {
    expect(withoutFormula(from)).toBe(to);
  });

  it('is readable if it contains at least one letter or digit', () => {
    expect(['..', '', '- ()', 'a', '山', '7'].map(isReadable)).toEqual([false, false, false, true, true, true]);
  });
});
