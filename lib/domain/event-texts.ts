import { textOf } from '#lib/domain/identifier.ts';

/** Of all free texts of one event together, in UTF-8. */
const MOST_BYTES = 8 * 1024;

/**
 * Reads the free texts of one event, the more telling ones first: what would take them above their bound together is
 * cut, so that nobody can make an event cost more than a few write units.
 */
export function eventTexts() {
  let left = MOST_BYTES;
  return (value: unknown, longest: number): string | undefined => {
    const text = textOf(value, longest);
    if (text === undefined) return undefined;
    const cut = cutToBytes(text, left);
    left -= Buffer.byteLength(cut);
    return cut;
  };
}

/** Never ends within a character: the decoder holds back what is not whole. */
const cutToBytes = (text: string, most: number): string =>
  Buffer.byteLength(text) <= most
    ? text
    : new TextDecoder().decode(Buffer.from(text).subarray(0, most), { stream: true });
