import * as z from 'zod/mini';
import { about } from '#lib/wire/fields.ts';

/** The one key of most replies. */
export const data = <Schema extends z.ZodMiniType>(schema: Schema) => z.strictObject({ data: schema });
export type Data<Value> = z.output<ReturnType<typeof data<z.ZodMiniType<Value>>>>;

/** A page of a list. */
export const listOf = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.strictObject({
    data: z.array(schema),
    meta: z.strictObject({
      next_cursor: about(
        'Null on the last page. With a filter a page may be short, or empty, before that.',
        z.nullable(z.string()),
      ),
    }),
  });
export type ListOf<Item> = z.output<ReturnType<typeof listOf<z.ZodMiniType<Item>>>>;
