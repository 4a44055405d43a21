import { textOf } from '#lib/service/ground/values/identifier.ts';

/** Limit for all free texts of one event together, in bytes of UTF-8. */
const MOST_BYTES = 8 * 1024;

/**
 * Returns a function that reads one free text of an event. All texts of the event share one limit; what exceeds it is
 * cut, so an event costs only a few write units. Read the most important texts first.
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

/**
 * Cuts a text to a maximum number of bytes. It never cuts within a character: the decoder leaves out an incomplete one.
 */
export const cutToBytes = (text: string, most: number): string =>
  Buffer.byteLength(text) <= most
    ? text
    : new TextDecoder().decode(Buffer.from(text).subarray(0, most), { stream: true });

/** A value as JSON text; undefined if the value is absent, or too deeply nested for `JSON.stringify`. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A value of a request, as its refusal quotes it. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string' || value === undefined) return String(value);
  return jsonText(value) ?? 'of this depth';
}
