/**
 * A value and the text that describes it. Options are lists of pairs, because objects would move numeric keys to the
 * front.
 */
export type Option = readonly [value: string, text: string];
