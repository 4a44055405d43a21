/** How many cases of a property are run: a fifth of them in `npm test`, all if CASES=all, which the deep tests set. */
export const cases = (all: number): number => (process.env.CASES === 'all' ? all : Math.ceil(all / 5));

/** Tags a case of a long table as deep, unless it is an n-th one: `npm test` runs only every n-th case. */
export const everyNth = (nth: number, at: number): { readonly tags: 'deep'[] } => ({
  tags: at % nth === 0 ? [] : ['deep'],
});
