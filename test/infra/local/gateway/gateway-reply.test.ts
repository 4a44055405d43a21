import { describe, expect, it } from 'vitest';
import { gatewayReply, lambdaResult } from '#infra/local/gateway/gateway-reply.ts';

describe('gatewayReply, for a function’s result with a statusCode,', () => {
  it('uses the result’s status, headers and body', () => {
    const reply = gatewayReply({ statusCode: 422, headers: { 'X-One': 'a', 'X-Number': 7 }, body: 'Zoë' });
    expect(reply).toEqual({ status: 422, headers: { 'X-One': 'a', 'X-Number': '7' }, body: Buffer.from('Zoë') });
  });

  it('sends each cookie in a separate header', () => {
    const { headers } = gatewayReply({ statusCode: 200, cookies: ['a=1', 'b=2'] });
    expect(headers).toEqual({ 'set-cookie': ['a=1', 'b=2'] });
  });

  it('decodes a body that the result marks as base64', () => {
    const { body } = gatewayReply({ statusCode: 200, body: '/wA=', isBase64Encoded: true });
    expect(body).toEqual(Buffer.from([0xff, 0x00]));
  });

  it('accepts a result without a body', () => {
    expect(gatewayReply({ statusCode: 204 })).toEqual({ status: 204, headers: {}, body: Buffer.alloc(0) });
  });
});

describe('gatewayReply, for a function’s result without a statusCode,', () => {
  it.each([
    [{ a: 1 }, '{"a":1}'],
    ['text', 'text'],
    [undefined, 'null'],
  ])('sends the whole result as body with status 200: %j', (result, body) => {
    expect(gatewayReply(result)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
    });
  });
});

describe('gatewayReply, for an invalid result of a function,', () => {
  it.each([{ statusCode: 'OK' }, { statusCode: 200.5 }, { statusCode: 200, body: { a: 1 } }])(
    'sends status 500 instead of %j',
    (result) => {
      const { status, body } = gatewayReply(result);
      expect([status, body.toString()]).toEqual([500, '{"message":"Internal Server Error"}']);
    },
  );
});

describe('the size limit of a function’s result', () => {
  it('is Lambda’s limit for the JSON text', () => {
    const body = 'x'.repeat(6_291_556 - '{"statusCode":200,"body":""}'.length);
    expect(lambdaResult({ statusCode: 200, body })).toEqual({ statusCode: 200, body });
    expect(() => lambdaResult({ statusCode: 200, body: `${body}x` })).toThrow('longer than the 6291556 bytes');
  });

  it('includes the characters that JSON escaping adds', () => {
    expect(() => lambdaResult({ statusCode: 200, body: '"'.repeat(3_200_000) })).toThrow('longer than');
  });
});
