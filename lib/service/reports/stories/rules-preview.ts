import type { Currency } from '#lib/service/ground/values/currency.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import {
  type RuleAction,
  type RuleName,
  ruleNames,
  rulesOf,
  type TrafficSettings,
} from '#lib/service/programs/terms/rules.ts';

/** An existing commission, and the rules that would match it now. */
export interface TriedCommission {
  readonly amountCents: number;
  readonly currency: Currency;
  readonly fitting: ReadonlySet<RuleName>;
}

interface PreviewedRule {
  readonly action: RuleAction;
  readonly commissions: number;
  /** Amounts in cents, by currency. */
  readonly amounts: Record<string, number>;
}

export type RulesPreview = Record<RuleName, PreviewedRule>;

/** Counts the commissions that each rule would match, even if the program has turned the rule off. */
export function rulesPreviewOf(program: TrafficSettings, tried: readonly TriedCommission[]): RulesPreview {
  const actions = rulesOf(program);
  const previewOf = (rule: RuleName): PreviewedRule => {
    const fitted = tried.filter(({ fitting }) => fitting.has(rule));
    const amounts = [...Map.groupBy(fitted, ({ currency }) => currency)].map(
      ([currency, some]) => [currency, sumOf(some.map(({ amountCents }) => amountCents))] as const,
    );
    return { action: actions[rule], commissions: fitted.length, amounts: Object.fromEntries(amounts) };
  };
  return Object.fromEntries(ruleNames.map((rule) => [rule, previewOf(rule)])) as RulesPreview;
}
