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
  /** Absent: it is in the main stack. */
  readonly nestedStack?: NestedStackName;
}

/**
 * Functions that are in a nested stack with all that is theirs, by the beginnings of their names: a stack holds 500
 * resources. None that is deployed may move: API Gateway refuses a route that its former stack has not removed yet.
 */
const nestedStacks = {
  Quality: ['dashboard/address/', 'dashboard/commission/release', 'dashboard/commissions/release', 'dashboard/rules/'],
  Webhooks: ['dashboard/webhook/', 'dashboard/webhooks/', 'dashboard/facts/'],
} as const satisfies Record<string, readonly string[]>;

export type NestedStackName = keyof typeof nestedStacks;

export const nestedStackNames = Object.keys(nestedStacks) as NestedStackName[];

const nestedStackOf = (name: string): NestedStackName | undefined =>
  nestedStackNames.find((stack) => nestedStacks[stack].some((beginning) => name.startsWith(beginning)));

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
      nestedStack: nestedStackOf(name),
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
