/** Default values of settings. */
export const settingDefaults = {
  productName: 'Referrals',
  signUp: 'open',
  currencies: 'USD,EUR,VND',
  platformFeeBps: '350',
  unusedClickDays: '90',
  newRecipientsPerDay: '50',
  mostNewRecipientsPerDay: '500',
} as const;
