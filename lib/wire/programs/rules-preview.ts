import * as z from 'zod/mini';
import { ruleActions, ruleNames } from '#lib/service/programs/terms/rules.ts';
import { about, byCurrency, cents, count, flag, named } from '#lib/wire/words/fields.ts';

const PreviewedRule = z.strictObject({
  action: about('What the rule does now.', z.enum(ruleActions)),
  commissions: about('Those that it fits.', count),
  amounts: about('Of these commissions, in cents.', byCurrency(cents)),
});

export const RulesPreview = named(
  'RulesPreview',
  z.strictObject({
    rules: z.record(z.enum(ruleNames), PreviewedRule),
    complete: about('Whether these are all commissions of the 30 days; otherwise they are the newest 1,000.', flag),
  }),
  "What the program's rules, with its lists as they are, fit among commissions of the last 30 days.",
);
export type RulesPreview = z.output<typeof RulesPreview>;
