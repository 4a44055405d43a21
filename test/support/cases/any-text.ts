import { type Arbitrary, array, integer, oneof, stringMatching } from 'fast-check';

/**
 * Generates texts of arbitrary UTF-16 code units, including lone surrogates and control characters. fast-check's own
 * `unit: 'binary'` is not used, because it first lists all characters, which takes seconds in each process.
 */
export const anyText = ({ maxLength }: { readonly maxLength?: number } = {}): Arbitrary<string> =>
  array(oneof(integer({ min: 0, max: 0x7f }), integer({ min: 0, max: 0xffff })), { maxLength }).map((units) =>
    String.fromCharCode(...units),
  );

/**
 * Generates web addresses with and without port, path, query and fragment. fast-check's own generator is not used,
 * because its first value takes seconds.
 */
export const anyWebUrl: Arbitrary<string> = stringMatching(
  /^https?:\/\/[\w.-]{1,40}(:\d{1,6})?(\/[\w%.~-]{0,9}){0,3}(\?[\w=&%]{0,9})?(#\w{0,5})?$/,
);
