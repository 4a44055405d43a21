/** A value with its text. A list of pairs, because an object would move numeric keys to the front. */
export type Option = readonly [value: string, text: string];
