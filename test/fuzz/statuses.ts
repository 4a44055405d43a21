/** How often each status was returned, by operation. */
export type Statuses = Readonly<Record<string, Readonly<Record<string, number>>>>;

const kinds = ['2xx', '4xx', '429', '404', '5xx'] as const;
type Counts = Readonly<Record<(typeof kinds)[number], number>>;

const kindOf = (status: string): keyof Counts =>
  status === '429' || status === '404' ? status : (`${status[0]}xx` as keyof Counts);

function countsOf(statuses: Readonly<Record<string, number>>): Counts {
  const counts = { '2xx': 0, '4xx': 0, '429': 0, '404': 0, '5xx': 0 };
  // For an operation that redirects, the redirect is the success.
  for (const [status, count] of Object.entries(statuses)) counts[status < '400' ? '2xx' : kindOf(status)] += count;
  return counts;
}

/** An operation with fewer requests is not judged. A short run on a busy machine may send few. */
const FEWEST_REQUESTS = 10;

function isBlocked(counts: Counts): boolean {
  const blocked = counts['429'] + counts['404'];
  const others = counts['2xx'] + counts['4xx'] + counts['5xx'];
  return blocked > others && blocked + others >= FEWEST_REQUESTS;
}

const row = (name: string, cells: readonly (string | number)[]): string =>
  name.padEnd(32) + cells.map((cell) => String(cell).padStart(7)).join('');

/** Evaluates the statuses of a run. @returns a table of them, and the problems found */
export function judgement(statuses: Statuses): { readonly table: string; readonly problems: readonly string[] } {
  const operations = Object.entries(statuses).map(([operationId, own]) => ({ operationId, counts: countsOf(own) }));
  const blocked = operations.filter(({ counts }) => isBlocked(counts)).map(({ operationId }) => operationId);
  const failing = operations.filter(({ counts }) => counts['5xx'] > 0).map(({ operationId }) => operationId);
  return {
    table: [
      row('Operation', kinds),
      ...operations.map(({ operationId, counts }) =>
        row(
          operationId,
          kinds.map((kind) => counts[kind]),
        ),
      ),
    ].join('\n'),
    problems: [
      ...(failing.length > 0 ? [`5xx: ${failing.join(', ')}`] : []),
      ...(blocked.length > 0
        ? [`${blocked.length} of ${operations.length} operations met mostly 429 or 404: ${blocked.join(', ')}`]
        : []),
    ],
  };
}
