import { fallback, type Route, routes, type TableAction, type Use } from '#infra/routes.ts';

/** One Lambda function: a file below `functions/`, deployed once however many routes name it. */
export interface DeployedFunction {
  /** The file's path below `functions/`, without its ending. */
  readonly name: string;
  /** None for the function that answers whatever no route names. */
  readonly routes: readonly Route[];
  readonly tableActions: readonly TableAction[];
  readonly uses: readonly Use[];
  /** Clicks, sales or payments arrive on its paths, so it shares no role: changes for others must not disturb it. */
  readonly takesEvents: boolean;
}

/**
 * The nested stack of a function with all that is the function's: one for each folder of `functions/`, because a stack
 * holds 500 resources. A function in no folder is in the main stack. A deployed function must not move: API Gateway refuses a
 * route that its former stack has not removed yet.
 */
export function nestedStackOf(functionName: string): string | undefined {
  const end = functionName.indexOf('/');
  return end < 0 ? undefined : `${functionName[0]!.toUpperCase()}${functionName.slice(1, end)}`;
}

/** With the preflights of their paths. */
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
