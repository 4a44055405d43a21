import { fallback, type Route, routes, type TableAction, type Use } from '#infra/routes.ts';

/** One Lambda function. Its code is a file below `functions/`; it is deployed once, even if several routes use it. */
export interface DeployedFunction {
  /** Path below `functions/`, without extension. */
  readonly name: string;
  /** The routes of the function. The function that answers requests without a route has none. */
  readonly routes: readonly Route[];
  readonly tableActions: readonly TableAction[];
  readonly uses: readonly Use[];
  /**
   * Partition keys of the items that the function may access; a star matches any text. If undefined, it may access all
   * items.
   */
  readonly items?: readonly string[];
  /**
   * Whether the function receives clicks, sales or payments. Such a function has its own role, so that a change for
   * other functions cannot break it.
   */
  readonly takesEvents: boolean;
}

/**
 * The name of the nested stack that contains a function and its resources; undefined for the main stack. There is one
 * nested stack per folder of `functions/`, because a stack can have only 500 resources. Never move a deployed function
 * to another folder: API Gateway rejects a route as long as the former stack still has it.
 */
export function nestedStackOf(functionName: string): string | undefined {
  const end = functionName.indexOf('/');
  return end < 0 ? undefined : `${functionName[0]!.toUpperCase()}${functionName.slice(1, end)}`;
}

/** Partition keys of the items that are read or written when a request is counted against its rate limit. */
export const countingItems = ['EDGE', 'SALT#*', 'CREDENTIAL#*', 'WINDOW#*'] as const;

/**
 * Functions that may access only some items, with the partition keys of these items; a star matches any text. Anyone
 * can call these functions without a credential, and they use items of few kinds. All other functions use items of most
 * kinds.
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

/** The paths of functions that receive clicks, sales or payments. The preflight routes of these paths are included. */
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
