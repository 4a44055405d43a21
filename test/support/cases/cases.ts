/** `npm test` draws a few of a property's cases; CASES=all, set by the deep tests, draws every one. */
export const cases = (all: number): number => (process.env.CASES === 'all' ? all : Math.ceil(all / 5));

/** `npm test` runs every n-th case of a long table; the others are deep. */
export const everyNth = (nth: number, at: number): { readonly tags: 'deep'[] } => ({
  tags: at % nth === 0 ? [] : ['deep'],
});
