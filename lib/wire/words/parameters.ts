import * as z from 'zod/mini';
import { comparisons, sortings } from '#lib/service/reports/figures/ranking.ts';
import type { Parameter } from '#lib/wire/document/operation.ts';
import { currency, day } from '#lib/wire/words/fields.ts';

/** A segment of the path. */
export const inPath = (
  name: string,
  description: string,
  schema: z.ZodMiniType = z.int().check(z.positive()),
): Parameter => ({ name, in: 'path', description, isRequired: true, schema });

export const inQuery = (name: string, description: string, schema: z.ZodMiniType = z.string()): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

/** A parameter for a free text, declared twice: one route has it in the path, and another in the query. */
export const inPathOrQuery = (name: string, description: string): readonly Parameter[] => [
  inPath(name, description, z.string()),
  { ...inQuery(name, description), isRequired: true },
];

export const programId = inPath('id', 'The program.');

/** Parameters of every list. */
export const page: readonly Parameter[] = [
  inQuery('limit', 'The number of rows per page. Default: 25.', z.int().check(z.gte(1), z.lte(100))),
  inQuery('cursor', '`meta.next_cursor` of the previous page. It is valid only for the same list and filters.'),
];

/** Days of a report, both inclusive. */
export const range: readonly Parameter[] = [
  inQuery('from', 'The first day, in UTC.', day),
  inQuery('to', 'The last day, in UTC.', day),
];

/** The period of the figures of partners and links. */
export const figuresPeriod: readonly Parameter[] = [
  inQuery('from', 'The first day of the figures, in UTC. If only `to` is sent: the 30 days up to `to`.', day),
  inQuery('to', 'The last day of the figures, in UTC. If only `from` is sent: today.', day),
];

/** Parameters of lists whose rows have figures. */
export const figures: readonly Parameter[] = [
  ...figuresPeriod,
  inQuery(
    'sort',
    'Default: `created`, oldest first. For the others, the highest figure is first, and equal ones are oldest first. `revenue` and `commission` are amounts in `currency`.',
    z.enum(sortings),
  ),
  inQuery('currency', "Of the amounts by which the list is sorted. Default: the program's.", currency),
  inQuery(
    'compare',
    '`previous`: each row gains `rank`, and its rank and figures in the period of equal length before `from`. Needs `from`, `to` and a `sort` by a figure.',
    z.enum(comparisons),
  ),
];

export const chosen = (name: string, description: string, values: readonly string[]): Parameter =>
  inQuery(name, description, z.enum(values));

/** The parameter of a CSV file that adds a byte order mark. */
export const byteOrderMark = chosen('bom', '`1`: it begins with a byte order mark.', ['1']);

export const flag = (name: string, description: string): Parameter => chosen(name, description, ['true', '1']);
