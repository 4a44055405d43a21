export const TERMS_INVALID = 'terms must be an object';
export const REQUIRED_OF_TERMS = ['commission_type', 'commission_rate'] as const;
export const REQUIRED_OF_GROUP = ['name', 'terms'] as const;
