/** What a function may do to the table; a transaction needs the actions of its parts. */
export type TableAction = 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** One endpoint. The only list of routes: the stack, the local server, the tests and the documents read it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'ANY';
  /** Path in API Gateway's spelling, parameters in braces. */
  readonly path: string;
  /** The function's file below `functions/`, without its ending. */
  readonly function: string;
  readonly tableActions: readonly TableAction[];
}

const reading = ['BatchGetItem'] as const;

export const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/track/click',
    function: 'track/click',
    tableActions: [...reading, 'PutItem', 'UpdateItem'],
  },
  {
    method: 'POST',
    path: '/api/v1/track/lead',
    function: 'track/lead',
    tableActions: [...reading, 'Query', 'PutItem', 'UpdateItem'],
  },
  {
    method: 'POST',
    path: '/api/v1/track/sale',
    function: 'track/sale',
    tableActions: [...reading, 'Query', 'PutItem', 'UpdateItem'],
  },
  {
    method: 'POST',
    path: '/api/v1/track/refund',
    function: 'track/refund',
    tableActions: [...reading, 'PutItem', 'UpdateItem'],
  },
  { method: 'OPTIONS', path: '/api/v1/track/click', function: 'track/preflight', tableActions: reading },
  { method: 'OPTIONS', path: '/api/v1/track/lead', function: 'track/preflight', tableActions: reading },
];

/** Answers every path and method that no route names. */
export const fallback = { function: 'not-found', tableActions: [...reading, 'UpdateItem'] } as const satisfies Omit<
  Route,
  'method' | 'path'
>;
