import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, it } from 'vitest';
import { hasField } from '#lib/service/http/messages/body.ts';

const has = (body: string | undefined, clearable?: readonly string[]) =>
  hasField({ body } as APIGatewayProxyEventV2, ['email', 'terms'], clearable);

it('hasField is true if the body has one of the fields with a value other than null, or with null if null clears that field', () => {
  for (const value of ['""', '0', 'false', '[]']) expect(has(`{"name":"Ana","terms":${value}}`)).toBe(true);
  expect(has('{"terms":null}', ['terms'])).toBe(true);
  expect(has('{"terms":null}')).toBe(false);
});

it('hasField is false for a body that is absent, empty, invalid or too long, or has none of the fields', () => {
  for (const body of [undefined, '', '{}', '{"name":"Ana"}', '[]', '{"email"', `{"email":"${'a'.repeat(262_144)}"}`])
    expect(has(body)).toBe(false);
});
