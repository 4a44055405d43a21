export const TERMS_INVALID = 'terms must be an object';
export const REQUIRED_OF_TERMS = ['commission_type', 'commission_rate'] as const;
/** The names of all fields of terms. */
export const TERMS_FIELDS = [
  ...REQUIRED_OF_TERMS,
  'duration_months',
  'hold_period_days',
  'lead_commission_cents',
  'tiers',
] as const;
export const REQUIRED_OF_GROUP = ['name', 'terms'] as const;
