import { expect, it } from 'vitest';
import { whyText } from '#lib/apps/dashboard/sale/why-text.ts';

it.each([
  [
    'customer_key',
    'Customer u1 was found by customer_key. And more.',
    'Customer u1 was found by your own id for them. And more.',
  ],
  [
    'email',
    'Customer j***@a.test was found by email. More.',
    'Customer j***@a.test was found by their e-mail address. More.',
  ],
  ['code', 'Found by code SAVE. It is a code of Ana.', 'Found by code SAVE. It is a code of Ana.'],
  [null, 'This is a test sale.', 'This is a test sale.'],
] as const)('the dashboard explains how a sale was attributed, if it was found by %s: %s', (resolved_by, text, shown) =>
  expect(whyText({ resolved_by, text })).toBe(shown),
);
