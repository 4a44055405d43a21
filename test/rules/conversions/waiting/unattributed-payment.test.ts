import { expect, it } from 'vitest';
import {
  detailOf,
  idWithinProgram,
  misspeltText,
  otherProgramText,
} from '#lib/service/conversions/waiting/unattributed-payment.ts';

it('the id of a payment without a known customer contains the program id and the transaction id', () => {
  expect(idWithinProgram(7, 'order_1')).toBe('7_order_1');
});

it('the explanation of an unrecorded payment names the unsupported currency, the other program or the misspelt field', () => {
  expect(detailOf('unsupported_currency', 'GBP')).toBe('currency GBP is not supported');
  expect(detailOf('unknown_click', 'GBP')).toBeUndefined();
  expect(otherProgramText(1)).toBe('The metadata name program 1.');
  expect(otherProgramText(0)).toBe('The metadata name a program that does not exist.');
  expect(misspeltText({ name: 'customer_key', meant: 'service_customer_key' })).toBe(
    'The metadata have customer_key. Did you mean service_customer_key?',
  );
});
