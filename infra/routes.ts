import {
  BATCH_WINDOW_SECONDS,
  clickRecords,
  countedRecords,
  factRecords,
  mailRecords,
  type RecordFilter,
} from '#lib/service/ground/config/table-definition.ts';

/** An action on the table that a function may have permission for. A transaction needs the actions of its parts. */
export type TableAction = 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** The actions that every rate-limited request needs: it reads items, and increments the counter of its rate window. */
const counted = ['BatchGetItem', 'UpdateItem'] as const;

/** Sets of actions on the table, by what a request does. All but `read` include the actions for rate limiting. */
const access = {
  read: ['BatchGetItem'],
  count: counted,
  query: [...counted, 'Query'],
  put: [...counted, 'PutItem'],
  delete: [...counted, 'DeleteItem'],
  'query put': [...counted, 'Query', 'PutItem'],
  'query delete': [...counted, 'Query', 'DeleteItem'],
  'query put check': [...counted, 'Query', 'PutItem', 'ConditionCheckItem'],
  'query put delete': [...counted, 'Query', 'PutItem', 'DeleteItem'],
  'query put delete check': [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  'put check': [...counted, 'PutItem', 'ConditionCheckItem'],
  'put delete': [...counted, 'PutItem', 'DeleteItem'],
  'put delete check': [...counted, 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
} as const satisfies Record<string, readonly TableAction[]>;

/** What a function needs in addition to its actions on the table. */
export type Use =
  /** The function queries the index `gsi1`, which needs a separate permission. */
  | 'programIndex'
  /** The function queries the index `gsi2`, which contains the items of each partner. */
  | 'partnerIndex'
  /** The function gets the settings of the OpenID Connect issuer, to verify an `id_token`. */
  | 'signIn'
  /** The function encrypts signing secrets of brands. */
  | 'sealSecrets'
  /** The function decrypts signing secrets of brands. */
  | 'openSecrets'
  /** The function encrypts payout and billing details of partners. */
  | 'sealDetails'
  /** The function decrypts payout and billing details of partners. */
  | 'openDetails'
  /** The function encrypts the bank account from which a workspace pays. */
  | 'sealPayer'
  /** The function decrypts the bank account from which a workspace pays. */
  | 'openPayer'
  /** The function reads the secrets of the platform's own Stripe account. */
  | 'platformSecrets'
  /** The function reads the program key with which the canary sends test events. */
  | 'canaryKey'
  /** The function stores files that are too large for a reply. */
  | 'exports'
  /** The function sends messages to the queue that starts the sender of webhooks. */
  | 'wake'
  /** The function gets more memory and the longest timeout that API Gateway allows, for many reads or writes. */
  | 'heavy'
  /** The function gets Lambda's longest timeout, for work that no caller waits for. */
  | 'long'
  /** The function's concurrency can be reserved, because anyone may call the function. */
  | 'public'
  /** An alarm watches the function: each throttled call would lose a click, sale or payment. */
  | 'alarm';

/** One endpoint. This is the only list of routes; the stack, the local server, the tests and the documents read it. */
export interface Route<Name extends string = string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'ANY';
  /** Path in API Gateway's notation: parameters in braces, `{name+}` matches all remaining segments. */
  readonly path: string;
  /** The function's file below `functions/`, without extension. */
  readonly function: Name;
  readonly tableActions: readonly TableAction[];
  readonly uses: readonly Use[];
}

const on = <const Name extends string>(
  method: Route['method'],
  path: string,
  name: Name,
  may: keyof typeof access,
  ...uses: readonly Use[]
): Route<Name> => ({ method, path, function: name, tableActions: access[may], uses });

const track = '/api/v1/track';
const cli = '/api/v1/cli';
const dashboard = '/api/dashboard/v1';
const program = `${dashboard}/programs/{id}`;
const endpoint = `${program}/webhooks/{endpoint_id}`;
const portal = '/api/partner/v1';
const own = `${portal}/programs/{id}`;
const agent = '/api/agent/v1';
const mail = '/api/v1/mail';
const stripe = '/api/v1/webhooks/stripe';

export const routes = [
  on('POST', `${track}/click`, 'track/click', 'put', 'public', 'alarm'),
  on('POST', `${track}/lead`, 'track/lead', 'query put delete', 'public', 'alarm'),
  on('POST', `${track}/sale`, 'track/sale', 'query put delete check', 'alarm'),
  on('POST', `${track}/refund`, 'track/refund', 'put', 'alarm'),
  on('POST', `${track}/stripe`, 'track/stripe', 'query put delete check', 'alarm'),
  on('OPTIONS', `${track}/click`, 'track/preflight', 'read'),
  on('OPTIONS', `${track}/lead`, 'track/preflight', 'read'),

  on('POST', `${cli}/auth/start`, 'cli/auth/start', 'put'),
  on('POST', `${cli}/auth/callback`, 'cli/auth/callback', 'query put delete', 'signIn'),
  on('GET', `${cli}/auth/poll`, 'cli/auth/poll', 'query put delete check'),
  on('GET', `${cli}/auth/request`, 'cli/auth/request', 'count'),
  on('POST', `${cli}/init`, 'cli/init', 'put'),
  on('GET', `${cli}/programs`, 'cli/programs', 'count', 'programIndex'),
  on('GET', '/api/v1/programs/me/readiness', 'programs/readiness', 'query', 'programIndex'),
  on('GET', `${cli}/status`, 'cli/status', 'query', 'programIndex'),
  on('POST', `${cli}/test-event`, 'cli/test-event', 'put'),
  on('ANY', `${cli}/payment-connect`, 'cli/payment-connect', 'count'),

  on('POST', `${dashboard}/session`, 'dashboard/session/post', 'query put delete check', 'signIn'),
  on('DELETE', `${dashboard}/session`, 'dashboard/session/delete', 'delete'),
  on('GET', `${dashboard}/me`, 'dashboard/me/get', 'query'),
  on('GET', `${dashboard}/address`, 'dashboard/address/get', 'count'),
  on('GET', `${dashboard}/tokens`, 'dashboard/tokens/get', 'query'),
  on('DELETE', `${dashboard}/tokens`, 'dashboard/tokens/delete', 'query delete'),
  on('DELETE', `${dashboard}/tokens/{id}`, 'dashboard/token/delete', 'query delete'),
  on('GET', `${dashboard}/workspace`, 'dashboard/workspace/get', 'count'),
  on('POST', `${dashboard}/workspace`, 'dashboard/workspace/post', 'put'),
  on('PATCH', `${dashboard}/workspace`, 'dashboard/workspace/patch', 'put'),
  on('GET', `${dashboard}/workspace/payer`, 'dashboard/payer/get', 'count'),
  on('PATCH', `${dashboard}/workspace/payer`, 'dashboard/payer/patch', 'put', 'sealPayer', 'openPayer'),
  on('GET', `${dashboard}/workspace/audit`, 'dashboard/audit/get', 'query'),
  on('GET', `${dashboard}/workspace/audit.csv`, 'dashboard/audit/export', 'query', 'exports', 'heavy'),
  on('GET', `${dashboard}/workspace/audit/{entry_id}/items`, 'dashboard/audit/items', 'query'),
  on('GET', `${dashboard}/workspace/members`, 'dashboard/members/get', 'count'),
  on('POST', `${dashboard}/workspace/members`, 'dashboard/members/post', 'put'),
  on('DELETE', `${dashboard}/workspace/members/{account_id+}`, 'dashboard/member/delete', 'put delete'),
  on('DELETE', `${dashboard}/workspace/members`, 'dashboard/member/delete', 'put delete'),
  on('DELETE', `${dashboard}/workspace/members/me`, 'dashboard/membership/delete', 'put'),
  on('POST', `${dashboard}/workspace/join`, 'dashboard/workspace/join', 'put delete'),
  on('POST', `${dashboard}/workspace/decline`, 'dashboard/workspace/decline', 'put delete'),
  on('GET', `${dashboard}/programs`, 'dashboard/programs/get', 'count', 'programIndex'),
  on('POST', `${dashboard}/programs`, 'dashboard/programs/post', 'put'),
  on('GET', program, 'dashboard/program/get', 'count'),
  on('PATCH', program, 'dashboard/program/patch', 'put'),
  on('GET', `${program}/brand`, 'dashboard/brand/get', 'count'),
  on('PATCH', `${program}/brand`, 'dashboard/brand/patch', 'put'),
  on('PUT', `${program}/brand/logo`, 'dashboard/logo/put', 'put'),
  on('DELETE', `${program}/brand/logo`, 'dashboard/logo/delete', 'put delete'),
  on('POST', `${program}/api-key`, 'dashboard/api-key/post', 'put delete'),
  on('GET', `${program}/partners`, 'dashboard/partners/get', 'count', 'programIndex', 'heavy'),
  on('POST', `${program}/partners`, 'dashboard/partners/post', 'put'),
  on('POST', `${program}/invitations`, 'dashboard/invitations/post', 'put', 'heavy'),
  on('GET', `${program}/partners/{partner_id}`, 'dashboard/partner/get', 'count'),
  on('PATCH', `${program}/partners/{partner_id}`, 'dashboard/partner/patch', 'put delete check'),
  on('POST', `${program}/partners/{partner_id}/accept`, 'dashboard/partner/accept', 'put check'),
  on('POST', `${program}/partners/{partner_id}/reject`, 'dashboard/partner/reject', 'put'),
  on('POST', `${program}/partners/{partner_id}/invite`, 'dashboard/partner/invite', 'put'),
  on('POST', `${program}/partners/{partner_id}/withdraw`, 'dashboard/partner/withdraw', 'put'),
  on('GET', `${program}/terms`, 'dashboard/terms/get', 'query'),
  on('POST', `${program}/terms/preview`, 'dashboard/terms/preview', 'query', 'heavy'),
  on('GET', `${program}/groups`, 'dashboard/groups/get', 'count'),
  on('POST', `${program}/groups`, 'dashboard/groups/post', 'put'),
  on('PATCH', `${program}/groups/{group_id}`, 'dashboard/group/patch', 'put'),
  on('GET', `${program}/partners/{partner_id}/performance`, 'dashboard/partner/performance', 'query'),
  on('POST', `${program}/partners/{partner_id}/commissions`, 'dashboard/partner/commission', 'put check'),
  on('GET', `${program}/links`, 'dashboard/links/get', 'count', 'programIndex', 'heavy'),
  on('POST', `${program}/links`, 'dashboard/links/post', 'put'),
  on('GET', `${program}/links/{short_link}`, 'dashboard/link/get', 'count'),
  on('PATCH', `${program}/links/{short_link}`, 'dashboard/link/patch', 'put'),
  on('GET', `${program}/links/{short_link}/performance`, 'dashboard/link/performance', 'query'),
  on('GET', `${program}/codes`, 'dashboard/codes/get', 'count', 'programIndex'),
  on('POST', `${program}/codes`, 'dashboard/codes/post', 'query put delete check', 'heavy'),
  on('PATCH', `${program}/codes/{code}`, 'dashboard/code/patch', 'query put delete check', 'heavy'),
  on('GET', `${program}/events`, 'dashboard/events/get', 'count', 'programIndex'),
  on('GET', `${program}/facts`, 'dashboard/facts/get', 'query'),
  on('GET', `${program}/rules`, 'dashboard/rules/get', 'count', 'programIndex', 'heavy'),
  on('GET', `${program}/performance`, 'dashboard/performance/get', 'query'),
  on('GET', `${program}/search`, 'dashboard/search/get', 'query', 'programIndex', 'heavy'),
  on('GET', `${program}/sales/{transaction_id+}`, 'dashboard/sale/get', 'query'),
  on('GET', `${program}/sales`, 'dashboard/sale/get', 'query'),
  on('POST', `${program}/sales/{transaction_id}/refund`, 'dashboard/sale/refund', 'put'),
  on('POST', `${program}/sales/refund`, 'dashboard/sale/refund', 'put'),
  on('GET', `${program}/customers`, 'dashboard/customers/get', 'count', 'programIndex', 'partnerIndex'),
  on('GET', `${program}/customers/{click_id}`, 'dashboard/customer/get', 'query'),
  on(
    'GET',
    `${program}/customers/{click_id}/export`,
    'dashboard/customer/export',
    'query put',
    'programIndex',
    'exports',
    'heavy',
  ),
  on('POST', `${program}/customers/{click_id}/erase`, 'dashboard/customer/erase', 'query put delete'),
  on('POST', `${program}/customers/{click_id}/unlink`, 'dashboard/customer/unlink', 'put delete'),
  on('GET', `${program}/commissions`, 'dashboard/commissions/get', 'count', 'programIndex', 'partnerIndex'),
  on(
    'GET',
    `${program}/commissions.csv`,
    'dashboard/commissions/export',
    'count',
    'programIndex',
    'partnerIndex',
    'exports',
    'heavy',
  ),
  on('POST', `${program}/commissions/approve`, 'dashboard/commissions/approve', 'query put', 'heavy'),
  on('POST', `${program}/commissions/reject`, 'dashboard/commissions/reject', 'query put', 'heavy'),
  on('POST', `${program}/commissions/release`, 'dashboard/commissions/release', 'query put', 'heavy'),
  on('POST', `${program}/commissions/reopen`, 'dashboard/commissions/reopen', 'query put', 'heavy'),
  on('POST', `${program}/commissions/{commission_id}/reopen`, 'dashboard/commission/reopen', 'query put'),
  on('POST', `${program}/commissions/{commission_id}/release`, 'dashboard/commission/release', 'query put'),
  on('POST', `${program}/commissions/{commission_id}/approve`, 'dashboard/commission/approve', 'query put'),
  on('POST', `${program}/commissions/{commission_id}/reject`, 'dashboard/commission/reject', 'query put'),
  on('GET', `${program}/owed`, 'dashboard/owed/get', 'query', 'programIndex', 'partnerIndex', 'heavy'),
  on('GET', `${program}/payouts`, 'dashboard/payouts/get', 'query', 'programIndex'),
  on('POST', `${program}/payouts`, 'dashboard/payouts/post', 'query put delete check', 'programIndex', 'heavy'),
  on(
    'POST',
    `${program}/payouts/preview`,
    'dashboard/payouts/preview',
    'query',
    'programIndex',
    'partnerIndex',
    'heavy',
  ),
  on(
    'GET',
    `${program}/payouts/{payout_id}`,
    'dashboard/payout/get',
    'query put check',
    'partnerIndex',
    'heavy',
    'openDetails',
    'openPayer',
  ),
  on('GET', `${program}/payouts/{payout_id}/files`, 'dashboard/payout-files/get', 'query', 'heavy', 'openDetails'),
  on('PATCH', `${program}/payouts/{payout_id}`, 'dashboard/payout/patch', 'query put'),
  on(
    'POST',
    `${program}/payouts/{payout_id}/continue`,
    'dashboard/payout/continue',
    'query put delete check',
    'programIndex',
    'heavy',
  ),
  on('GET', `${program}/payouts/{payout_id}/lines`, 'dashboard/payout-lines/get', 'query'),
  on('POST', `${program}/payouts/{payout_id}/lines`, 'dashboard/payout-lines/post', 'query put check', 'heavy'),
  on('GET', `${program}/payouts/{payout_id}/lines/{line_id}`, 'dashboard/payout-line/get', 'query'),
  on('GET', `${program}/payouts/{payout_id}/lines/{line_id}/commissions`, 'dashboard/payout-line/commissions', 'query'),
  on('GET', `${program}/statements/{number}`, 'dashboard/statement/get', 'query', 'exports', 'heavy', 'openDetails'),
  on('GET', `${program}/readiness`, 'dashboard/readiness/get', 'query', 'programIndex'),
  on('POST', `${program}/verification`, 'dashboard/verification/post', 'put'),
  on('GET', `${program}/processor`, 'dashboard/processor/get', 'count'),
  on('GET', `${program}/processor/payments`, 'dashboard/processor/payments', 'count', 'programIndex'),
  on('POST', `${program}/processor/payments/{event_id}/retry`, 'dashboard/processor/retry', 'query put delete check'),
  on('POST', `${program}/processor/payments/retry`, 'dashboard/processor/retry', 'query put delete check'),
  on('PUT', `${program}/processor`, 'dashboard/processor/put', 'put', 'sealSecrets'),
  on('DELETE', `${program}/processor`, 'dashboard/processor/delete', 'put delete', 'platformSecrets'),
  on('GET', `${program}/webhooks`, 'dashboard/webhooks/get', 'count'),
  on('POST', `${program}/webhooks`, 'dashboard/webhooks/post', 'put', 'sealSecrets'),
  on('GET', endpoint, 'dashboard/webhook/get', 'count'),
  on('PATCH', endpoint, 'dashboard/webhook/patch', 'put', 'wake'),
  on('DELETE', endpoint, 'dashboard/webhook/delete', 'put'),
  on('POST', `${endpoint}/secret`, 'dashboard/webhook/secret', 'put', 'sealSecrets'),
  on('POST', `${endpoint}/test`, 'dashboard/webhook/test', 'put', 'wake'),
  on('GET', `${endpoint}/deliveries`, 'dashboard/webhook/deliveries', 'query'),
  on('POST', `${endpoint}/deliveries/{delivery_id}/replay`, 'dashboard/webhook/replay-delivery', 'put', 'wake'),
  on('POST', `${endpoint}/replay`, 'dashboard/webhook/replay', 'query put', 'wake', 'heavy'),
  on('POST', `${program}/processor/connect`, 'dashboard/processor/connect', 'put', 'platformSecrets'),
  on('GET', `${dashboard}/processor/callback`, 'dashboard/processor/callback', 'put delete', 'platformSecrets'),

  on('POST', `${mail}/unsubscribe`, 'mail/unsubscribe/post', 'query'),
  on('GET', `${mail}/unsubscribe`, 'mail/unsubscribe/get', 'count'),
  on('POST', `${mail}/block`, 'mail/block/post', 'count'),
  on('GET', `${mail}/block`, 'mail/block/get', 'count'),

  on('POST', stripe, 'webhooks/stripe/platform', 'query put delete check', 'platformSecrets', 'alarm'),
  on('POST', `${stripe}/{program_id}`, 'webhooks/stripe/program', 'query put delete check', 'alarm', 'openSecrets'),

  on('GET', `${portal}/me`, 'partner/me/get', 'query put delete check'),
  on('GET', `${portal}/overview`, 'partner/overview/get', 'query', 'programIndex', 'partnerIndex', 'heavy'),
  on('GET', `${portal}/export`, 'partner/export/get', 'query put', 'partnerIndex', 'heavy', 'openDetails'),
  on('GET', `${portal}/payout-details`, 'partner/payout-details/get', 'count'),
  on(
    'PUT',
    `${portal}/payout-details`,
    'partner/payout-details/put',
    'query put check',
    'partnerIndex',
    'sealDetails',
    'openDetails',
  ),
  on('DELETE', `${portal}/payout-details`, 'partner/payout-details/delete', 'query put check'),
  on('GET', `${portal}/billing`, 'partner/billing/get', 'count', 'openDetails'),
  on('PUT', `${portal}/billing`, 'partner/billing/put', 'query put check', 'sealDetails', 'openDetails'),
  on('GET', `${own}/performance`, 'partner/performance/get', 'query put'),
  on('GET', `${own}/balance`, 'partner/balance/get', 'put', 'programIndex', 'partnerIndex'),
  on('GET', `${own}/codes`, 'partner/codes/get', 'put', 'partnerIndex'),
  on('GET', `${own}/customers`, 'partner/customers/get', 'put', 'partnerIndex'),
  on('GET', `${own}/commissions`, 'partner/commissions/get', 'query put', 'partnerIndex'),
  on('GET', `${own}/commissions.csv`, 'partner/commissions/export', 'put', 'partnerIndex', 'exports', 'heavy'),
  on('GET', `${own}/commissions/{commission_id}`, 'partner/commission/get', 'query put'),
  on('GET', `${own}/payouts`, 'partner/payouts/get', 'put', 'partnerIndex'),
  on('GET', `${own}/statements/{number}`, 'partner/statement/get', 'query put', 'exports', 'heavy', 'openDetails'),
  on('PATCH', `${portal}/me`, 'partner/me/patch', 'query'),
  on('DELETE', `${portal}/me`, 'partner/me/delete', 'query put delete', 'programIndex', 'heavy'),
  on('GET', `${portal}/brand/{program_id}`, 'partner/brand/get', 'count'),
  on('GET', `${portal}/join/{program_id}`, 'partner/join/get', 'count'),
  on('POST', `${portal}/join/{program_id}`, 'partner/join/post', 'query put delete check'),
  on('GET', own, 'partner/program/get', 'put'),
  on('POST', `${own}/accept`, 'partner/invitation/accept', 'put check'),
  on('POST', `${own}/decline`, 'partner/invitation/decline', 'put'),
  on('POST', `${own}/terms`, 'partner/terms/post', 'put check'),
  on('POST', `${own}/leave`, 'partner/program/leave', 'put check'),
  on('GET', `${own}/links`, 'partner/links/get', 'put'),
  on('POST', `${own}/links`, 'partner/links/post', 'put'),
  on('PATCH', `${own}/links/{short_link}`, 'partner/link/patch', 'put'),

  on('GET', '/brand/{program_id}/logo', 'partner/logo/get', 'count'),

  on('GET', `${agent}/programs`, 'agent/programs/get', 'count', 'programIndex'),
  on('GET', `${agent}/programs/{id}`, 'agent/program/get', 'count'),
  on('PATCH', `${agent}/programs/{id}`, 'agent/program/patch', 'put'),
  on('GET', `${agent}/programs/{id}/readiness`, 'agent/readiness/get', 'query', 'programIndex'),
] as const;

type Unrouted = Pick<Route, 'function' | 'tableActions' | 'uses'>;

/** The function that answers requests without a route. */
export const fallback = { function: 'not-found', tableActions: counted, uses: [] } as const satisfies Unrouted;

/** A function that consumes the table's stream. */
export interface Consumer extends Unrouted {
  /** Maximum number of records per batch. */
  readonly batchSize: number;
  /**
   * How long records are collected for a batch. A batch merges writes to the same counter; the counters lag by this
   * time.
   */
  readonly batchWindowSeconds: number;
  /** The function receives records that match any of these filters. */
  readonly records: readonly RecordFilter[];
}

export const counters: Consumer = {
  function: 'stream/counters',
  tableActions: counted,
  uses: [],
  batchSize: 1_000,
  batchWindowSeconds: BATCH_WINDOW_SECONDS,
  records: [clickRecords, countedRecords],
};

/** The consumer that creates facts for webhooks and mails, and starts the sender of webhooks. */
export const outbox: Consumer = {
  function: 'stream/outbox',
  tableActions: access['query put'],
  uses: ['wake', 'heavy'],
  batchSize: 100,
  // Mails and webhooks wait up to a second until their batch is complete. Large batches cost less per record.
  batchWindowSeconds: 1,
  records: [clickRecords, factRecords, mailRecords],
};

export const consumers: readonly Consumer[] = [counters, outbox];

/** A function that runs on a schedule. */
export interface Schedule extends Unrouted {
  readonly everyMinutes: number;
}

export const schedules: readonly [outbox: Schedule, rebuild: Schedule] = [
  {
    function: 'schedule/outbox',
    tableActions: access['query put delete check'],
    uses: ['programIndex', 'partnerIndex', 'wake', 'heavy'],
    everyMinutes: 1,
  },
  {
    function: 'schedule/rebuild',
    tableActions: access['query put delete'],
    uses: ['programIndex', 'long'],
    everyMinutes: 60,
  },
];

/**
 * The canary: a function that sends test events through the public URL, and does not use the table. It is deployed only
 * if the operator turns it on.
 */
export const canary = {
  function: 'schedule/canary',
  tableActions: [],
  uses: ['canaryKey'],
  everyMinutes: 5,
} as const satisfies Schedule;

/**
 * The function that sends facts to the webhook endpoints of brands. A message of its queue names an endpoint with due
 * deliveries.
 */
export const deliverer = {
  function: 'queue/deliver',
  tableActions: access['query put delete'],
  uses: ['openSecrets', 'wake'],
} as const satisfies Unrouted;

/** The function that receives bounces and complaints from Amazon SES. */
export const mailFeedback = {
  function: 'mail/feedback',
  tableActions: access.query,
  uses: [],
} as const satisfies Unrouted;

/** The functions that a deployment itself calls. */
export const deployers = [
  { function: 'deploy/edge-secret', tableActions: counted, uses: ['heavy'] },
] as const satisfies readonly Unrouted[];
