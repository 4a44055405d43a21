import type { RuleName } from '#lib/apps/dashboard/rules/rule-texts.ts';
import { countText, moneysText } from '#lib/apps/web/format.ts';
import type { RulesPreview } from '#lib/wire/programs/rules-preview.ts';

/** Says how often a rule would have matched recently. */
export function previewText({ rules, complete }: RulesPreview, rule: RuleName): string {
  const { commissions, amounts } = rules[rule];
  const fitted = commissions === 0 ? 'none' : `${countText(commissions)}: ${moneysText(amounts)}`;
  return `Of the ${complete ? '' : 'newest 1,000 '}commissions of the last 30 days it fits ${fitted}.`;
}
