import { textOf } from '#lib/service/ground/values/identifier.ts';

/** Limit for all free texts of one event together, in bytes of UTF-8. */
const MOST_BYTES = 8 * 1024;

/**
 * Reads the free texts of one event; call it for the more important ones first. Text beyond the common limit is cut, so
 * that an event costs a few write units at most.
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

/** Cuts a text to a number of bytes, never within a character: the decoder holds back incomplete ones. */
export const cutToBytes = (text: string, most: number): string =>
  Buffer.byteLength(text) <= most
    ? text
    : new TextDecoder().decode(Buffer.from(text).subarray(0, most), { stream: true });
