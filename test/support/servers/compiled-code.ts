import { resolve } from 'node:path';

/** A variable of processes that tests start: what Node has compiled, it finds there again, by its content. */
export const compiledCode = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') } as const;
