import { fallback, type Route, routes, type TableAction, type VaultAction } from '#infra/routes.ts';

/** One Lambda function: a file below `functions/`, deployed once however many routes name it. */
export interface DeployedFunction {
  /** The file's path below `functions/`, without its ending. */
  readonly name: string;
  /** None for the function that answers whatever no route names. */
  readonly routes: readonly Route[];
  readonly tableActions: readonly TableAction[];
  readonly listsByIndex: boolean;
  readonly listsByPartner: boolean;
  readonly signsIn: boolean;
  readonly vault?: VaultAction;
  readonly readsPlatformSecrets: boolean;
  readonly exports: boolean;
  readonly isHeavy: boolean;
  readonly isPublic: boolean;
  readonly alarmOnThrottle: boolean;
  /** Clicks, sales or payments arrive on its paths, so it shares no role: changes for others must not disturb it. */
  readonly takesEvents: boolean;
  readonly wakesEndpoints: boolean;
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
const eventPaths = new Set(routes.filter(({ alarmOnThrottle }) => alarmOnThrottle).map(({ path }) => path));

export const deployedFunctions: readonly DeployedFunction[] = [
  ...Map.groupBy(routes, (route) => route.function)
    .entries()
    .map(([name, served]) => ({
      name,
      routes: served,
      tableActions: [...new Set(served.flatMap(({ tableActions }) => tableActions))],
      listsByIndex: served.some(({ listsByIndex }) => listsByIndex),
      listsByPartner: served.some(({ listsByPartner }) => listsByPartner),
      signsIn: served.some(({ signsIn }) => signsIn),
      vault: served.find(({ vault }) => vault)?.vault,
      readsPlatformSecrets: served.some(({ readsPlatformSecrets }) => readsPlatformSecrets),
      exports: served.some(({ exports }) => exports),
      isHeavy: served.some(({ isHeavy }) => isHeavy),
      isPublic: served.some(({ isPublic }) => isPublic),
      alarmOnThrottle: served.some(({ alarmOnThrottle }) => alarmOnThrottle),
      takesEvents: served.some(({ path }) => eventPaths.has(path)),
      wakesEndpoints: served.some(({ wakesEndpoints }) => wakesEndpoints),
    })),
  {
    name: fallback.function,
    routes: [],
    tableActions: fallback.tableActions,
    listsByIndex: false,
    listsByPartner: false,
    signsIn: false,
    readsPlatformSecrets: false,
    exports: false,
    isHeavy: false,
    isPublic: false,
    alarmOnThrottle: false,
    takesEvents: false,
    wakesEndpoints: false,
  },
];
