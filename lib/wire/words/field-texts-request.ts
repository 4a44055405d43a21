/** Messages for invalid fields. */
export const fieldTexts = {
  name: 'name must be a string of 1 to 120 characters',
  email: 'email must be a valid e-mail address',
  rate: 'commission_rate must be a positive number',
};

/** Messages for required fields of a new program, in dashboard and CLI. */
export const REQUIRED_FIELDS = ['name', 'domain', 'commission_type', 'commission_rate'] as const;
