import type { RuleAction, RuleName } from '#lib/apps/dashboard/rules/rule-texts.ts';
import { countOf, moneysText } from '#lib/apps/web/format.ts';

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

/** `Of the last 30 days: 3 commissions, $12.00.` */
export function previewText({ rules, complete }: RulesPreview, rule: RuleName): string {
  const { commissions, amounts } = rules[rule];
  const period = complete ? 'Of the last 30 days' : 'Of the newest 1,000 of the last 30 days';
  return `${period}: ${commissions === 0 ? 'no commission' : `${countOf(commissions, 'commission')}, ${moneysText(amounts)}`}.`;
}
