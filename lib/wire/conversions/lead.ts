import * as z from 'zod/mini';
import { id } from '#lib/wire/words/fields.ts';
import { success, testData } from '#lib/wire/traffic/tracked.ts';

export const SettledLead = z.strictObject({ ...success, message: z.literal('Lead tracked successfully') });
export type SettledLead = z.output<typeof SettledLead>;

export const ProvisionalLead = z.strictObject({
  ...success,
  provisional: z.literal(true),
  message: z.literal('Lead recorded as provisional. Send a server-side lead to settle it.'),
});

export const TestLead = z.strictObject({
  ...success,
  message: z.literal('Test lead event tracked successfully'),
  data: testData(z.nullable(id)),
});

export type LeadReply = SettledLead | z.output<typeof ProvisionalLead> | z.output<typeof TestLead>;
