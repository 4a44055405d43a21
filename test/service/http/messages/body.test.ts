import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, it } from 'vitest';
import { hasField } from '#lib/service/http/messages/body.ts';

const has = (body: string | undefined, clearable?: readonly string[]) =>
  hasField({ body } as APIGatewayProxyEventV2, ['email', 'terms'], clearable);

it('a body has a field if its value is anything but null, or if null removes the value', () => {
  for (const value of ['""', '0', 'false', '[]']) expect(has(`{"name":"Ana","terms":${value}}`)).toBe(true);
  expect(has('{"terms":null}', ['terms'])).toBe(true);
  expect(has('{"terms":null}')).toBe(false);
});

it('a body that is empty, invalid or too long has no field', () => {
  for (const body of [undefined, '', '{}', '{"name":"Ana"}', '[]', '{"email"', `{"email":"${'a'.repeat(262_144)}"}`])
    expect(has(body)).toBe(false);
});
