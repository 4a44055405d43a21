/** The names of the ways in which partners are paid. */
export const payoutMethods = { bank: 'Bank account', paypal: 'PayPal', wise: 'Wise', other: 'Another way' } as const;
