import { expect, it } from 'vitest';
import { idInProgram } from '#lib/domain/unsold-payment.ts';

it('the id of a sale in its program names both', () => {
  expect(idInProgram(7, 'order_1')).toBe('7_order_1');
});
