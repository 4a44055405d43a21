import type { RuleAction, RuleName } from '#lib/apps/dashboard/rules/rule-texts.ts';
import { countText, moneysText } from '#lib/apps/web/format.ts';

/** What each rule would have done to the newest commissions of the last 30 days. */
export interface RulesPreview {
  readonly rules: Readonly<Record<RuleName, PreviewedRule>>;
  /** Whether these are all commissions of the 30 days; otherwise they are the newest 1,000. */
  readonly complete: boolean;
}

interface PreviewedRule {
  readonly action: RuleAction;
  readonly commissions: number;
  /** In cents, by currency. */
  readonly amounts: Readonly<Record<string, number>>;
}

/** `Of the commissions of the last 30 days it fits 3: $12.00.` */
export function previewText({ rules, complete }: RulesPreview, rule: RuleName): string {
  const { commissions, amounts } = rules[rule];
  const fitted = commissions === 0 ? 'none' : `${countText(commissions)}: ${moneysText(amounts)}`;
  return `Of the ${complete ? '' : 'newest 1,000 '}commissions of the last 30 days it fits ${fitted}.`;
}
