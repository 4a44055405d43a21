import * as z from 'zod/mini';
import { resultKinds } from '#lib/service/reports/stories/search.ts';
import { about, named, text } from '#lib/wire/words/fields.ts';

export const SearchResult = named(
  'SearchResult',
  z.strictObject({
    kind: z.enum(resultKinds),
    id: about('A transaction id, click id, partner id, short link or coupon code.', text),
    label: text,
    detail: text,
  }),
);
export type SearchResult = z.output<typeof SearchResult>;
