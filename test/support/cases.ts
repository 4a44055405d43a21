/** Of a property's cases `npm test` draws a few, and CASES=all, which the deep tests set, draws every one. */
export const cases = (all: number): number => (process.env.CASES === 'all' ? all : Math.ceil(all / 5));
