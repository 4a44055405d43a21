import * as z from 'zod/mini';
import { resultKinds } from '#lib/service/reports/stories/search.ts';
import { about, named, text } from '#lib/wire/words/fields.ts';

export const SearchResult = named(
  'SearchResult',
  z.strictObject({
    kind: z.enum(resultKinds),
    id: about('Transaction id, click id, id of the partner, short link, or code.', text),
    label: text,
    detail: text,
  }),
);
export type SearchResult = z.output<typeof SearchResult>;
