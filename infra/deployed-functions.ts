import { fallback, type Route, routes, type TableAction, type Use } from '#infra/routes.ts';

/** One Lambda function: a file below `functions/`, deployed once even if several routes use it. */
export interface DeployedFunction {
  /** Path below `functions/`, without extension. */
  readonly name: string;
  /** The routes of the function; empty for the function that serves all unknown routes. */
  readonly routes: readonly Route[];
  readonly tableActions: readonly TableAction[];
  readonly uses: readonly Use[];
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
      takesEvents: served.some(({ path }) => eventPaths.has(path)),
    })),
  { name: fallback.function, routes: [], ...fallback, takesEvents: false },
];
