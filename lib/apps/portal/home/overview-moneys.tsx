import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import type { OverviewAmounts } from '#lib/wire/reports/portal-overview.ts';

interface OverviewMoneysProps {
  readonly of: Readonly<Record<string, OverviewAmounts>>;
  readonly name: keyof OverviewAmounts;
}

/** The amounts in all currencies that have one. */
export const OverviewMoneys = ({ of, name }: OverviewMoneysProps) => (
  <Moneys
    amounts={Object.fromEntries(
      Object.entries(of).flatMap(([currency, { [name]: cents }]) => (cents === 0 ? [] : [[currency, cents]])),
    )}
  />
);
