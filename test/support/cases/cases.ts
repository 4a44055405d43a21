/** The number of cases of a property: a few in `npm test`, all with CASES=all, which the deep tests set. */
export const cases = (all: number): number => (process.env.CASES === 'all' ? all : Math.ceil(all / 5));

/** Selects every n-th case of a long table for `npm test`; the others are tagged as deep. */
export const everyNth = (nth: number, at: number): { readonly tags: 'deep'[] } => ({
  tags: at % nth === 0 ? [] : ['deep'],
});
