/** A value with its text. Pairs, because an object would move values that look like numbers to its front. */
export type Option = readonly [value: string, text: string];
