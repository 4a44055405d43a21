import type { Entered } from '#lib/dashboard/parts/form.tsx';
import type { CommissionType, ProgramFields } from '#lib/dashboard/wire.ts';

type CommissionFields = Pick<ProgramFields, 'commission_type' | 'commission_rate'> & {
  readonly duration_months?: number;
};

/** The commission that was entered. What is no number is sent as none, for the service to say so. */
export const commissionIn = (entered: Entered): CommissionFields => ({
  commission_type: entered.commission_type as CommissionType,
  commission_rate: numberIn(entered.commission_rate),
  // Empty is 0, which stands for the customer's lifetime.
  ...(entered.duration_months !== undefined && { duration_months: numberIn(entered.duration_months || '0') }),
});

/** The tracking and payout settings that were entered. */
export const policyIn = (entered: Entered): Partial<ProgramFields> => ({
  attribution_window_days: numberIn(entered.attribution_window_days),
  lead_auth: entered.lead_auth as ProgramFields['lead_auth'],
  allowed_origins: (entered.allowed_origins ?? '').split(/\s+/).filter((origin) => origin !== ''),
  hold_period_days: numberIn(entered.hold_period_days),
  auto_approve: entered.auto_approve === 'on',
});

const numberIn = (text = ''): number => Number(text.replace(',', '.'));
