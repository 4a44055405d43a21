import * as z from 'zod/mini';
import { about, clickId, id, text } from '#lib/wire/words/fields.ts';
import { success, testData } from '#lib/wire/traffic/tracked.ts';

export const RecordedClick = z.strictObject({
  ...success,
  click_id: clickId,
  partner_code: about('The value of the `aff` parameter.', text),
  cookie_window_days: z.int(),
});
export type RecordedClick = z.output<typeof RecordedClick>;

export const TestClick = z.strictObject({
  ...success,
  message: z.literal('Test click event tracked successfully'),
  click_id: z.string().check(z.regex(/^clk_test_/)),
  cookie_window_days: z.int(),
  data: testData(z.nullable(id)),
});

export type ClickReply = RecordedClick | z.output<typeof TestClick>;
