/** What is said of a wrong field. */
export const fieldTexts = {
  name: 'name must be a string of 1 to 120 characters',
  email: 'email must be a valid e-mail address',
  rate: 'commission_rate must be a positive number',
};

/** What a new program needs, by dashboard and CLI alike. */
export const REQUIRED_FIELDS = ['name', 'domain', 'commission_type', 'commission_rate'] as const;
