import {
  BATCH_WINDOW_SECONDS,
  countedRecords,
  factRecords,
  mailRecords,
  type RecordFilter,
} from '#lib/service/ground/config/table-definition.ts';

/** What a function may do to the table; a transaction needs the actions of its parts. */
export type TableAction = 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** One endpoint. The only list of routes: the stack, the local server, the tests and the documents read it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'ANY';
  /** Path in API Gateway's spelling: parameters in braces, `{name+}` takes all segments that are left. */
  readonly path: string;
  /** The function's file below `functions/`, without its ending. */
  readonly function: string;
  readonly tableActions: readonly TableAction[];
  /** Queries the index of programs, which is a separate permission. */
  readonly listsByIndex?: true;
  /** Queries the index of what belongs to one partner. */
  readonly listsByPartner?: true;
  /** Verifies an `id_token`, so it needs the issuer's settings. */
  readonly signsIn?: true;
  /** Seals signing secrets of brands or payout details of partners, or opens them. */
  readonly vault?: VaultAction;
  /** Reads the secrets of the platform's own account on the card processor. */
  readonly readsPlatformSecrets?: true;
  /** Stores files that are too large for a reply. */
  readonly exports?: true;
  /** Sends messages to the queue that wakes the sender of webhooks. */
  readonly wakesEndpoints?: true;
  /** Many reads or writes: it gets more memory, and the gateway's maximal time. */
  readonly isHeavy?: true;
  /** Public: its concurrency is limited separately. */
  readonly isPublic?: true;
  /** Throttling it loses a click, sale or payment, so there is an alarm. */
  readonly alarmOnThrottle?: true;
}

export type VaultAction = 'seal' | 'open' | 'sealAndOpen';

const read = ['BatchGetItem'] as const;
/** Every counted request reads, and raises the count of its window. */
const counted = [...read, 'UpdateItem'] as const;
/** An owner who looks at it as a partner is in the audit list. */
const viewed = [...counted, 'PutItem'] as const;

const track = '/api/v1/track';
const cli = '/api/v1/cli';
const dashboard = '/api/dashboard/v1';
const program = `${dashboard}/programs/{id}`;
const endpoint = `${program}/webhooks/{endpoint_id}`;
const portal = '/api/partner/v1';
const portalProgram = `${portal}/programs/{id}`;
const agent = '/api/agent/v1';
const unsubscribe = '/api/v1/mail/unsubscribe';
const blockSender = '/api/v1/mail/block';
const webhooks = '/api/v1/webhooks/stripe';

export const routes: readonly Route[] = [
  {
    method: 'POST',
    path: `${track}/click`,
    function: 'track/click',
    tableActions: [...counted, 'PutItem'],
    isPublic: true,
    alarmOnThrottle: true,
  },
  {
    method: 'POST',
    path: `${track}/lead`,
    function: 'track/lead',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem'],
    isPublic: true,
    alarmOnThrottle: true,
  },
  {
    method: 'POST',
    path: `${track}/sale`,
    function: 'track/sale',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    alarmOnThrottle: true,
  },
  {
    method: 'POST',
    path: `${track}/refund`,
    function: 'track/refund',
    tableActions: [...counted, 'PutItem'],
    alarmOnThrottle: true,
  },
  {
    method: 'POST',
    path: `${track}/stripe`,
    function: 'track/stripe',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    alarmOnThrottle: true,
  },
  { method: 'OPTIONS', path: `${track}/click`, function: 'track/preflight', tableActions: read },
  { method: 'OPTIONS', path: `${track}/lead`, function: 'track/preflight', tableActions: read },

  { method: 'POST', path: `${cli}/auth/start`, function: 'cli/auth/start', tableActions: [...counted, 'PutItem'] },
  {
    method: 'POST',
    path: `${cli}/auth/callback`,
    function: 'cli/auth/callback',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem'],
    signsIn: true,
  },
  {
    method: 'GET',
    path: `${cli}/auth/poll`,
    function: 'cli/auth/poll',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  { method: 'GET', path: `${cli}/auth/request`, function: 'cli/auth/request', tableActions: counted },
  {
    method: 'POST',
    path: `${cli}/init`,
    function: 'cli/init',
    tableActions: [...counted, 'PutItem'],
    listsByIndex: true,
  },
  { method: 'GET', path: `${cli}/programs`, function: 'cli/programs', tableActions: counted, listsByIndex: true },
  {
    method: 'GET',
    path: '/api/v1/programs/me/readiness',
    function: 'programs/readiness',
    tableActions: [...counted, 'Query'],
    listsByIndex: true,
  },
  {
    method: 'GET',
    path: `${cli}/status`,
    function: 'cli/status',
    tableActions: [...counted, 'Query'],
    listsByIndex: true,
  },
  {
    method: 'POST',
    path: `${cli}/test-event`,
    function: 'cli/test-event',
    tableActions: [...counted, 'PutItem'],
  },
  { method: 'ANY', path: `${cli}/payment-connect`, function: 'cli/payment-connect', tableActions: counted },

  {
    method: 'POST',
    path: `${dashboard}/session`,
    function: 'dashboard/session/post',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    signsIn: true,
  },
  {
    method: 'DELETE',
    path: `${dashboard}/session`,
    function: 'dashboard/session/delete',
    tableActions: [...counted, 'DeleteItem'],
  },
  { method: 'GET', path: `${dashboard}/me`, function: 'dashboard/me/get', tableActions: [...counted, 'Query'] },
  { method: 'GET', path: `${dashboard}/address`, function: 'dashboard/address/get', tableActions: counted },
  { method: 'GET', path: `${dashboard}/tokens`, function: 'dashboard/tokens/get', tableActions: [...counted, 'Query'] },
  {
    method: 'DELETE',
    path: `${dashboard}/tokens`,
    function: 'dashboard/tokens/delete',
    tableActions: [...counted, 'Query', 'DeleteItem'],
  },
  {
    method: 'DELETE',
    path: `${dashboard}/tokens/{id}`,
    function: 'dashboard/token/delete',
    tableActions: [...counted, 'Query', 'DeleteItem'],
  },
  { method: 'GET', path: `${dashboard}/workspace`, function: 'dashboard/workspace/get', tableActions: counted },
  {
    method: 'POST',
    path: `${dashboard}/workspace`,
    function: 'dashboard/workspace/post',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'PATCH',
    path: `${dashboard}/workspace`,
    function: 'dashboard/workspace/patch',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'GET',
    path: `${dashboard}/workspace/audit`,
    function: 'dashboard/audit/get',
    tableActions: [...counted, 'Query'],
  },
  { method: 'GET', path: `${dashboard}/workspace/members`, function: 'dashboard/members/get', tableActions: counted },
  {
    method: 'POST',
    path: `${dashboard}/workspace/members`,
    function: 'dashboard/members/post',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'DELETE',
    path: `${dashboard}/workspace/members/{account_id+}`,
    function: 'dashboard/member/delete',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
  },
  {
    method: 'DELETE',
    path: `${dashboard}/workspace/members`,
    function: 'dashboard/member/delete',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
  },
  {
    method: 'DELETE',
    path: `${dashboard}/workspace/members/me`,
    function: 'dashboard/membership/delete',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'POST',
    path: `${dashboard}/workspace/join`,
    function: 'dashboard/workspace/join',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
  },
  {
    method: 'POST',
    path: `${dashboard}/workspace/decline`,
    function: 'dashboard/workspace/decline',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
  },
  {
    method: 'GET',
    path: `${dashboard}/programs`,
    function: 'dashboard/programs/get',
    tableActions: counted,
    listsByIndex: true,
  },
  {
    method: 'POST',
    path: `${dashboard}/programs`,
    function: 'dashboard/programs/post',
    tableActions: [...counted, 'PutItem'],
    listsByIndex: true,
  },
  { method: 'GET', path: program, function: 'dashboard/program/get', tableActions: counted },
  { method: 'PATCH', path: program, function: 'dashboard/program/patch', tableActions: [...counted, 'PutItem'] },
  {
    method: 'POST',
    path: `${program}/api-key`,
    function: 'dashboard/api-key/post',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
  },
  {
    method: 'GET',
    path: `${program}/partners`,
    function: 'dashboard/partners/get',
    tableActions: counted,
    listsByIndex: true,
    isHeavy: true,
  },
  {
    method: 'POST',
    path: `${program}/partners`,
    function: 'dashboard/partners/post',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'GET',
    path: `${program}/partners/{partner_id}`,
    function: 'dashboard/partner/get',
    tableActions: counted,
  },
  {
    method: 'PATCH',
    path: `${program}/partners/{partner_id}`,
    function: 'dashboard/partner/patch',
    tableActions: [...counted, 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    listsByIndex: true,
  },
  {
    method: 'POST',
    path: `${program}/partners/{partner_id}/accept`,
    function: 'dashboard/partner/accept',
    tableActions: [...counted, 'PutItem', 'ConditionCheckItem'],
  },
  {
    method: 'POST',
    path: `${program}/partners/{partner_id}/reject`,
    function: 'dashboard/partner/reject',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'POST',
    path: `${program}/partners/{partner_id}/invite`,
    function: 'dashboard/partner/invite',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'POST',
    path: `${program}/partners/{partner_id}/withdraw`,
    function: 'dashboard/partner/withdraw',
    tableActions: [...counted, 'PutItem'],
  },
  { method: 'GET', path: `${program}/groups`, function: 'dashboard/groups/get', tableActions: counted },
  {
    method: 'POST',
    path: `${program}/groups`,
    function: 'dashboard/groups/post',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'PATCH',
    path: `${program}/groups/{group_id}`,
    function: 'dashboard/group/patch',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'GET',
    path: `${program}/partners/{partner_id}/performance`,
    function: 'dashboard/partner/performance',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'POST',
    path: `${program}/partners/{partner_id}/commissions`,
    function: 'dashboard/partner/commission',
    tableActions: [...counted, 'PutItem', 'ConditionCheckItem'],
  },
  {
    method: 'GET',
    path: `${program}/links`,
    function: 'dashboard/links/get',
    tableActions: counted,
    listsByIndex: true,
    isHeavy: true,
  },
  {
    method: 'POST',
    path: `${program}/links`,
    function: 'dashboard/links/post',
    tableActions: [...counted, 'PutItem'],
    listsByIndex: true,
  },
  { method: 'GET', path: `${program}/links/{short_link}`, function: 'dashboard/link/get', tableActions: counted },
  {
    method: 'PATCH',
    path: `${program}/links/{short_link}`,
    function: 'dashboard/link/patch',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'GET',
    path: `${program}/links/{short_link}/performance`,
    function: 'dashboard/link/performance',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'GET',
    path: `${program}/codes`,
    function: 'dashboard/codes/get',
    tableActions: counted,
    listsByIndex: true,
  },
  {
    method: 'POST',
    path: `${program}/codes`,
    function: 'dashboard/codes/post',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    isHeavy: true,
  },
  {
    method: 'PATCH',
    path: `${program}/codes/{code}`,
    function: 'dashboard/code/patch',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    isHeavy: true,
  },
  {
    method: 'GET',
    path: `${program}/events`,
    function: 'dashboard/events/get',
    tableActions: counted,
    listsByIndex: true,
  },
  {
    method: 'GET',
    path: `${program}/facts`,
    function: 'dashboard/facts/get',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'GET',
    path: `${program}/rules`,
    function: 'dashboard/rules/get',
    tableActions: counted,
    listsByIndex: true,
    isHeavy: true,
  },
  {
    method: 'GET',
    path: `${program}/performance`,
    function: 'dashboard/performance/get',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'GET',
    path: `${program}/search`,
    function: 'dashboard/search/get',
    tableActions: [...counted, 'Query'],
    isHeavy: true,
  },
  {
    method: 'GET',
    path: `${program}/sales/{transaction_id+}`,
    function: 'dashboard/sale/get',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'GET',
    path: `${program}/sales`,
    function: 'dashboard/sale/get',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'POST',
    path: `${program}/sales/{transaction_id}/refund`,
    function: 'dashboard/sale/refund',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'POST',
    path: `${program}/sales/refund`,
    function: 'dashboard/sale/refund',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'GET',
    path: `${program}/customers`,
    function: 'dashboard/customers/get',
    tableActions: counted,
    listsByIndex: true,
  },
  {
    method: 'GET',
    path: `${program}/customers/{click_id}`,
    function: 'dashboard/customer/get',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'POST',
    path: `${program}/customers/{click_id}/unlink`,
    function: 'dashboard/customer/unlink',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
  },
  {
    method: 'GET',
    path: `${program}/commissions`,
    function: 'dashboard/commissions/get',
    tableActions: counted,
    listsByIndex: true,
  },
  {
    method: 'GET',
    path: `${program}/commissions.csv`,
    function: 'dashboard/commissions/export',
    tableActions: counted,
    listsByIndex: true,
    isHeavy: true,
    exports: true,
  },
  {
    method: 'POST',
    path: `${program}/commissions/approve`,
    function: 'dashboard/commissions/approve',
    tableActions: [...counted, 'Query', 'PutItem'],
    isHeavy: true,
  },
  {
    method: 'POST',
    path: `${program}/commissions/reject`,
    function: 'dashboard/commissions/reject',
    tableActions: [...counted, 'Query', 'PutItem'],
    isHeavy: true,
  },
  {
    method: 'POST',
    path: `${program}/commissions/release`,
    function: 'dashboard/commissions/release',
    tableActions: [...counted, 'Query', 'PutItem'],
    isHeavy: true,
  },
  {
    method: 'POST',
    path: `${program}/commissions/{commission_id}/release`,
    function: 'dashboard/commission/release',
    tableActions: [...counted, 'Query', 'PutItem'],
  },
  {
    method: 'POST',
    path: `${program}/commissions/{commission_id}/approve`,
    function: 'dashboard/commission/approve',
    tableActions: [...counted, 'Query', 'PutItem'],
  },
  {
    method: 'POST',
    path: `${program}/commissions/{commission_id}/reject`,
    function: 'dashboard/commission/reject',
    tableActions: [...counted, 'Query', 'PutItem'],
  },
  {
    method: 'GET',
    path: `${program}/owed`,
    function: 'dashboard/owed/get',
    tableActions: [...counted, 'Query'],
    listsByIndex: true,
    isHeavy: true,
  },
  {
    method: 'GET',
    path: `${program}/payouts`,
    function: 'dashboard/payouts/get',
    tableActions: counted,
    listsByIndex: true,
  },
  {
    method: 'POST',
    path: `${program}/payouts`,
    function: 'dashboard/payouts/post',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    listsByIndex: true,
    isHeavy: true,
  },
  {
    method: 'POST',
    path: `${program}/payouts/preview`,
    function: 'dashboard/payouts/preview',
    tableActions: [...counted, 'Query'],
    listsByIndex: true,
    listsByPartner: true,
    isHeavy: true,
  },
  {
    // With `.csv` behind the id it is the file: a parameter of the gateway takes a whole segment.
    method: 'GET',
    path: `${program}/payouts/{payout_id}`,
    function: 'dashboard/payout/get',
    tableActions: [...counted, 'Query', 'PutItem', 'ConditionCheckItem'],
    listsByPartner: true,
    vault: 'open',
    isHeavy: true,
  },
  {
    method: 'PATCH',
    path: `${program}/payouts/{payout_id}`,
    function: 'dashboard/payout/patch',
    tableActions: [...counted, 'Query', 'PutItem'],
  },
  {
    method: 'GET',
    path: `${program}/readiness`,
    function: 'dashboard/readiness/get',
    tableActions: [...counted, 'Query'],
    listsByIndex: true,
  },
  {
    method: 'POST',
    path: `${program}/verification`,
    function: 'dashboard/verification/post',
    tableActions: [...counted, 'PutItem'],
  },

  {
    method: 'GET',
    path: `${program}/processor`,
    function: 'dashboard/processor/get',
    tableActions: counted,
  },
  {
    method: 'GET',
    path: `${program}/processor/payments`,
    function: 'dashboard/processor/payments',
    tableActions: counted,
    listsByIndex: true,
  },
  {
    method: 'POST',
    path: `${program}/processor/payments/{event_id}/retry`,
    function: 'dashboard/processor/retry',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  {
    method: 'POST',
    path: `${program}/processor/payments/retry`,
    function: 'dashboard/processor/retry',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  {
    method: 'PUT',
    path: `${program}/processor`,
    function: 'dashboard/processor/put',
    tableActions: [...counted, 'PutItem'],
    vault: 'seal',
  },
  {
    method: 'DELETE',
    path: `${program}/processor`,
    function: 'dashboard/processor/delete',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
    readsPlatformSecrets: true,
  },
  { method: 'GET', path: `${program}/webhooks`, function: 'dashboard/webhooks/get', tableActions: counted },
  {
    method: 'POST',
    path: `${program}/webhooks`,
    function: 'dashboard/webhooks/post',
    tableActions: [...counted, 'PutItem'],
    vault: 'seal',
  },
  { method: 'GET', path: endpoint, function: 'dashboard/webhook/get', tableActions: counted },
  {
    method: 'PATCH',
    path: endpoint,
    function: 'dashboard/webhook/patch',
    tableActions: [...counted, 'PutItem'],
    wakesEndpoints: true,
  },
  {
    method: 'DELETE',
    path: endpoint,
    function: 'dashboard/webhook/delete',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'POST',
    path: `${endpoint}/secret`,
    function: 'dashboard/webhook/secret',
    tableActions: [...counted, 'PutItem'],
    vault: 'seal',
  },
  {
    method: 'POST',
    path: `${endpoint}/test`,
    function: 'dashboard/webhook/test',
    tableActions: [...counted, 'PutItem'],
    wakesEndpoints: true,
  },
  {
    method: 'GET',
    path: `${endpoint}/deliveries`,
    function: 'dashboard/webhook/deliveries',
    tableActions: [...counted, 'Query'],
  },
  {
    method: 'POST',
    path: `${endpoint}/deliveries/{delivery_id}/replay`,
    function: 'dashboard/webhook/replay-delivery',
    tableActions: [...counted, 'PutItem'],
    wakesEndpoints: true,
  },
  {
    method: 'POST',
    path: `${endpoint}/replay`,
    function: 'dashboard/webhook/replay',
    tableActions: [...counted, 'Query', 'PutItem'],
    wakesEndpoints: true,
    isHeavy: true,
  },
  {
    method: 'POST',
    path: `${program}/processor/connect`,
    function: 'dashboard/processor/connect',
    tableActions: [...counted, 'PutItem'],
    readsPlatformSecrets: true,
  },
  {
    method: 'GET',
    path: `${dashboard}/processor/callback`,
    function: 'dashboard/processor/callback',
    tableActions: [...counted, 'PutItem', 'DeleteItem'],
    readsPlatformSecrets: true,
  },

  {
    method: 'POST',
    path: unsubscribe,
    function: 'mail/unsubscribe/post',
    tableActions: [...counted, 'Query'],
  },
  { method: 'GET', path: unsubscribe, function: 'mail/unsubscribe/get', tableActions: counted },
  { method: 'POST', path: blockSender, function: 'mail/block/post', tableActions: counted },
  { method: 'GET', path: blockSender, function: 'mail/block/get', tableActions: counted },

  {
    method: 'POST',
    path: webhooks,
    function: 'webhooks/stripe/platform',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    readsPlatformSecrets: true,
    alarmOnThrottle: true,
  },
  {
    method: 'POST',
    path: `${webhooks}/{program_id}`,
    function: 'webhooks/stripe/program',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    vault: 'open',
    alarmOnThrottle: true,
  },

  {
    method: 'GET',
    path: `${portal}/me`,
    function: 'partner/me/get',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  {
    method: 'GET',
    path: `${portal}/export`,
    function: 'partner/export/get',
    tableActions: [...counted, 'Query', 'PutItem'],
    listsByPartner: true,
    isHeavy: true,
  },
  {
    method: 'GET',
    path: `${portal}/payout-details`,
    function: 'partner/payout-details/get',
    tableActions: counted,
  },
  {
    method: 'PUT',
    path: `${portal}/payout-details`,
    function: 'partner/payout-details/put',
    tableActions: [...counted, 'Query', 'PutItem', 'ConditionCheckItem'],
    listsByPartner: true,
    vault: 'sealAndOpen',
  },
  {
    method: 'DELETE',
    path: `${portal}/payout-details`,
    function: 'partner/payout-details/delete',
    tableActions: [...counted, 'Query', 'PutItem', 'ConditionCheckItem'],
  },
  {
    method: 'GET',
    path: `${portalProgram}/performance`,
    function: 'partner/performance/get',
    tableActions: [...viewed, 'Query'],
  },
  {
    method: 'GET',
    path: `${portalProgram}/balance`,
    function: 'partner/balance/get',
    tableActions: viewed,
    listsByPartner: true,
  },
  {
    method: 'GET',
    path: `${portalProgram}/codes`,
    function: 'partner/codes/get',
    tableActions: viewed,
    listsByPartner: true,
  },
  {
    method: 'GET',
    path: `${portalProgram}/customers`,
    function: 'partner/customers/get',
    tableActions: viewed,
    listsByPartner: true,
  },
  {
    method: 'GET',
    path: `${portalProgram}/commissions`,
    function: 'partner/commissions/get',
    tableActions: [...viewed, 'Query'],
    listsByPartner: true,
  },
  {
    method: 'GET',
    path: `${portalProgram}/commissions.csv`,
    function: 'partner/commissions/export',
    tableActions: viewed,
    listsByPartner: true,
    exports: true,
    isHeavy: true,
  },
  {
    method: 'GET',
    path: `${portalProgram}/commissions/{commission_id}`,
    function: 'partner/commission/get',
    tableActions: [...viewed, 'Query'],
  },
  {
    method: 'GET',
    path: `${portalProgram}/payouts`,
    function: 'partner/payouts/get',
    tableActions: viewed,
    listsByPartner: true,
  },
  { method: 'PATCH', path: `${portal}/me`, function: 'partner/me/patch', tableActions: [...counted, 'Query'] },
  {
    method: 'DELETE',
    path: `${portal}/me`,
    function: 'partner/me/delete',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem'],
    isHeavy: true,
    listsByIndex: true,
  },
  {
    method: 'GET',
    path: `${portal}/join/{program_id}`,
    function: 'partner/join/get',
    tableActions: counted,
  },
  {
    method: 'POST',
    path: `${portal}/join/{program_id}`,
    function: 'partner/join/post',
    tableActions: [...counted, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  { method: 'GET', path: portalProgram, function: 'partner/program/get', tableActions: [...counted, 'PutItem'] },
  {
    method: 'POST',
    path: `${portalProgram}/accept`,
    function: 'partner/invitation/accept',
    tableActions: [...counted, 'PutItem', 'ConditionCheckItem', 'ConditionCheckItem'],
  },
  {
    method: 'POST',
    path: `${portalProgram}/decline`,
    function: 'partner/invitation/decline',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'POST',
    path: `${portalProgram}/terms`,
    function: 'partner/terms/post',
    tableActions: [...counted, 'PutItem', 'ConditionCheckItem'],
  },
  {
    method: 'POST',
    path: `${portalProgram}/leave`,
    function: 'partner/program/leave',
    tableActions: [...counted, 'PutItem', 'ConditionCheckItem'],
  },
  { method: 'GET', path: `${portalProgram}/links`, function: 'partner/links/get', tableActions: viewed },
  {
    method: 'POST',
    path: `${portalProgram}/links`,
    function: 'partner/links/post',
    tableActions: [...counted, 'PutItem'],
    listsByIndex: true,
  },
  {
    method: 'PATCH',
    path: `${portalProgram}/links/{short_link}`,
    function: 'partner/link/patch',
    tableActions: [...counted, 'PutItem'],
  },

  {
    method: 'GET',
    path: `${agent}/programs`,
    function: 'agent/programs/get',
    tableActions: counted,
    listsByIndex: true,
  },
  { method: 'GET', path: `${agent}/programs/{id}`, function: 'agent/program/get', tableActions: counted },
  {
    method: 'PATCH',
    path: `${agent}/programs/{id}`,
    function: 'agent/program/patch',
    tableActions: [...counted, 'PutItem'],
  },
  {
    method: 'GET',
    path: `${agent}/programs/{id}/readiness`,
    function: 'agent/readiness/get',
    tableActions: [...counted, 'Query'],
    listsByIndex: true,
  },
];

/** Answers every path and method that no route names. */
export const fallback = { function: 'not-found', tableActions: counted } as const satisfies Omit<
  Route,
  'method' | 'path'
>;

/** A function that reads the table's stream instead of answering requests. */
export interface Consumer {
  readonly function: string;
  readonly tableActions: readonly TableAction[];
  /** The most records of a batch. */
  readonly batchSize: number;
  /** Batching window: common writes are merged, and the counters lag by this time. */
  readonly batchWindowSeconds: number;
  /** It gets those that one of them names. */
  readonly records: readonly RecordFilter[];
  /** Many calls: it gets more memory and time. */
  readonly isHeavy?: true;
}

export const counters: Consumer = {
  function: 'stream/counters',
  tableActions: ['BatchGetItem', 'UpdateItem'],
  batchSize: 1_000,
  batchWindowSeconds: BATCH_WINDOW_SECONDS,
  records: [countedRecords],
};

/** Facts for other systems, and mails. It wakes the endpoints that want the facts. */
export const outbox: Consumer = {
  function: 'stream/outbox',
  tableActions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
  batchSize: 100,
  // Mails and webhooks may wait so long, and what comes together costs less.
  batchWindowSeconds: 1,
  records: [factRecords, mailRecords],
  isHeavy: true,
};

export const consumers: readonly Consumer[] = [counters, outbox];

/** A function that runs again and again. */
export interface Schedule extends Pick<Consumer, 'function' | 'tableActions' | 'isHeavy'> {
  readonly listsByIndex?: true;
  readonly everyMinutes: number;
}

export const schedules: readonly [Schedule] = [
  {
    function: 'schedule/outbox',
    tableActions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    listsByIndex: true,
    everyMinutes: 1,
    isHeavy: true,
  },
];

/** Sends facts to the endpoints of brands. A message of its queue names an endpoint for which something is due. */
export const deliverer = {
  function: 'queue/deliver',
  tableActions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  vault: 'open',
  wakesEndpoints: true,
} as const satisfies Omit<Route, 'method' | 'path'>;

/** What Amazon SES tells of mails that were sent. */
export const mailFeedback = {
  function: 'mail/feedback',
  tableActions: ['BatchGetItem', 'Query', 'UpdateItem'],
} as const satisfies Pick<Consumer, 'function' | 'tableActions'>;

/** Functions that a deployment calls. */
export const deployers = [
  { function: 'deploy/edge-secret', tableActions: ['BatchGetItem', 'UpdateItem'] },
] as const satisfies readonly Pick<Consumer, 'function' | 'tableActions'>[];
