import { resolve } from 'node:path';

/** Environment for processes that tests start. With it, they share Node's compile cache and so start faster. */
export const compiledCode = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') } as const;
