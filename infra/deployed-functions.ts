import { fallback, type Route, routes, type TableAction, type Use } from '#infra/routes.ts';

/** One Lambda function: a file below `functions/`, deployed once even if several routes use it. */
export interface DeployedFunction {
  /** Path below `functions/`, without extension. */
  readonly name: string;
  /** The routes of the function; empty for the function that serves all unknown routes. */
  readonly routes: readonly Route[];
  readonly tableActions: readonly TableAction[];
  readonly uses: readonly Use[];
  /** Partition keys of the only items that the function may touch; undefined if it may touch all items. */
  readonly items?: readonly string[];
  /**
   * Whether the function receives clicks, sales or payments. It then shares no role, because changes for other
   * functions must not affect it.
   */
  readonly takesEvents: boolean;
}

/**
 * The nested stack of a function and its resources: one per folder of `functions/`, because a stack is limited to 500
 * resources. A function in no folder is in the main stack. A deployed function must not move: API Gateway rejects a
 * route that its former stack has not deleted yet.
 */
export function nestedStackOf(functionName: string): string | undefined {
  const end = functionName.indexOf('/');
  return end < 0 ? undefined : `${functionName[0]!.toUpperCase()}${functionName.slice(1, end)}`;
}

/** Partition keys of the items that are touched when a request is counted in its rate window. */
export const countingItems = ['EDGE', 'SALT#*', 'CREDENTIAL#*', 'WINDOW#*'] as const;

/**
 * Partition keys of the only items that these functions may touch; a star matches the rest of a key. The functions need
 * no credential and few kinds of items. All other functions need most kinds.
 */
export const onlyItems: Readonly<Partial<Record<string, readonly string[]>>> = {
  [fallback.function]: countingItems,
  'track/preflight': ['EDGE', 'ORIGIN#*'],
  'cli/auth/start': [...countingItems, 'LOGIN#*'],
  'cli/auth/request': [...countingItems, 'LOGIN#*'],
  'partner/logo/get': [...countingItems, 'BRAND#*'],
  'mail/unsubscribe/get': countingItems,
  'mail/block/get': countingItems,
  'mail/block/post': [...countingItems, 'MAIL_REFUSAL#*', 'BLOCKED_SENDERS#*'],
};

/** These paths include their preflight routes. */
const eventPaths = new Set(routes.filter(({ uses }) => uses.includes('alarm')).map(({ path }) => path));

export const deployedFunctions: readonly DeployedFunction[] = [
  ...Map.groupBy<string, Route>(routes, (route) => route.function)
    .entries()
    .map(([name, served]) => ({
      name,
      routes: served,
      tableActions: [...new Set(served.flatMap(({ tableActions }) => tableActions))],
      uses: [...new Set(served.flatMap(({ uses }) => uses))],
      items: onlyItems[name],
      takesEvents: served.some(({ path }) => eventPaths.has(path)),
    })),
  { name: fallback.function, routes: [], ...fallback, items: onlyItems[fallback.function], takesEvents: false },
];
