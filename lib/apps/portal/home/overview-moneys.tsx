import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import type { OverviewAmounts } from '#lib/wire/reports/portal-overview.ts';

interface OverviewMoneysProps {
  readonly of: Readonly<Record<string, OverviewAmounts>>;
  readonly name: keyof OverviewAmounts;
}

/** Shows one kind of amount in each currency in which there is some. */
export const OverviewMoneys = ({ of, name }: OverviewMoneysProps) => (
  <Moneys
    amounts={Object.fromEntries(
      Object.entries(of).flatMap(([currency, { [name]: cents }]) => (cents === 0 ? [] : [[currency, cents]])),
    )}
  />
);
