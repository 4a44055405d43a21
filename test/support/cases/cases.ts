/** Of a property's cases `npm test` draws a few, and CASES=all, which the deep tests set, draws every one. */
export const cases = (all: number): number => (process.env.CASES === 'all' ? all : Math.ceil(all / 5));

/** Of a long table of cases `npm test` runs one of so many; the others are deep. */
export const everyNth = (nth: number, at: number): { readonly tags: 'deep'[] } => ({
  tags: at % nth === 0 ? [] : ['deep'],
});
