import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { brandScript } from '#infra/build/site.ts';

// Its behaviour is tested in a browser: test/browser/payment-links.test.ts.

const MOST_BROTLI_BYTES = 700;

it('the script for payment links has at most 700 bytes with brotli, and pages of every origin can load and cache it', async () => {
  const { text, ...served } = await brandScript('payment-links.js');
  const brotli = brotliCompressSync(text).length;
  console.info(`payment-links.js: ${text.length} bytes, ${brotli} with brotli`);
  expect(brotli).toBeLessThanOrEqual(MOST_BROTLI_BYTES);
  expect(served).toEqual({
    path: '/js/payment-links.js',
    contentType: 'text/javascript; charset=utf-8',
    cacheControl: 'public, max-age=3600',
    headers: { 'Access-Control-Allow-Origin': '*' },
  });
});
