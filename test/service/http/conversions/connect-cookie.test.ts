import { expect, it } from 'vitest';
import { connectCookie } from '#lib/service/http/conversions/processor-request.ts';

it.each([
  ['http://127.0.0.1:8787', ''],
  ['https://track.test', '; Secure'],
])(
  'the cookie for connecting Stripe has, under the base URL %s, the additional attribute %j, because Secure works only over https',
  (baseUrl, end) => {
    expect(connectCookie('s', baseUrl)).toBe(
      `service_connect=s; Path=/api/dashboard/v1/processor; Max-Age=600; HttpOnly; SameSite=Lax${end}`,
    );
  },
);
