// Names of customers by number. All have the same length, so that a copy needs the same space as its original.

const named = (name: string) => (n: number) => `${name}-${String(n).padStart(8, '0')}`;
const ORDER = 'order';
const clickId = (letter: string) => (n: number) => `clk_${letter}${String(n).padStart(25, '0')}`;
export const buyerKeyOf = named('customer');
export const transactionIdOf = named(ORDER);
export const isSeededSale = (transactionId: unknown): boolean => String(transactionId).startsWith(`${ORDER}-`);
export const buyerClickIdOf = clickId('b');
/** The click id of a visitor who has clicked and not signed up. */
export const visitorClickIdOf = clickId('v');
