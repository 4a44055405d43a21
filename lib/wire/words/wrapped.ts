import * as z from 'zod/mini';
import { MOST_SORTED } from '#lib/service/reports/figures/ranking.ts';
import { about, count, named } from '#lib/wire/words/fields.ts';

/** A reply with the single key `data`, as most replies are. */
export const data = <Schema extends z.ZodMiniType>(schema: Schema) => z.strictObject({ data: schema });
export type Data<Value> = z.output<ReturnType<typeof data<z.ZodMiniType<Value>>>>;

export const listMeta = named(
  'ListMeta',
  z.strictObject({
    next_cursor: about(
      'Null on the last page. With a filter, a page may be short or empty before that.',
      z.nullable(z.string()),
    ),
  }),
);

/** A page of a list. */
export const listOf = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.strictObject({ data: z.array(schema), meta: listMeta });
export type ListOf<Item> = z.output<ReturnType<typeof listOf<z.ZodMiniType<Item>>>>;

/** A page of a list that may be sorted by a figure. */
export const rankedListOf = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.strictObject({
    data: z.array(schema),
    meta: z.extend(listMeta, {
      sorted_of: about(
        `The number of all rows, if the list contains only the ${MOST_SORTED} oldest, sorted. Absent if the list is sorted by \`created\`.`,
        z.optional(count),
      ),
    }),
  });
export type RankedListOf<Item> = z.output<ReturnType<typeof rankedListOf<z.ZodMiniType<Item>>>>;
