import { expect, it } from 'vitest';
import { decimalsOf } from '#lib/apps/web/decimals.ts';
import { decimalsOf as decimalsOfService } from '#lib/service/ground/values/currency.ts';

const letters = 'A B C D E F G H I J K L M N O P Q R S T U V W X Y Z'.split(' ');

it('a page shows amounts with the same decimals as the service, in every currency', () => {
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  expect(codes.filter((code) => decimalsOf(code) !== decimalsOfService(code))).toEqual([]);
});
