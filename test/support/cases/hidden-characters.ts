const through = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Control characters, and characters that change the direction of text. */
export const hiddenCharacters = [
  ...through(0x00, 0x1f),
  ...through(0x7f, 0x9f),
  0x061c,
  0x200e,
  0x200f,
  ...through(0x202a, 0x202e),
  ...through(0x2066, 0x2069),
].map((code) => String.fromCodePoint(code));
