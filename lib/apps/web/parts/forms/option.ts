/** A value with its text. Options are a list of pairs, because an object would move numeric keys to the front. */
export type Option = readonly [value: string, text: string];
