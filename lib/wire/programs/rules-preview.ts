import * as z from 'zod/mini';
import { ruleActions, ruleNames } from '#lib/service/programs/terms/rules.ts';
import { about, byCurrency, cents, count, flag, named } from '#lib/wire/words/fields.ts';

const PreviewedRule = z.strictObject({
  action: about('The present action of the rule.', z.enum(ruleActions)),
  commissions: about('The number of commissions that the rule matches.', count),
  amounts: about('The amount of these commissions, in cents.', byCurrency(cents)),
});

export const RulesPreview = named(
  'RulesPreview',
  z.strictObject({
    rules: z.record(z.enum(ruleNames), PreviewedRule),
    complete: about('Whether all commissions of the 30 days were checked. If false, only the newest 1,000 were.', flag),
  }),
  "The commissions of the last 30 days that the program's rules match, with the program's present lists.",
);
export type RulesPreview = z.output<typeof RulesPreview>;
