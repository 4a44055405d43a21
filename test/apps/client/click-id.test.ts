import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clickIdFrom } from '#lib/apps/client/referral-client.ts';

const cookie = 'theme=dark; service_click_id=clk_cookie; service_aff_url=https%3A%2F%2Facme.test';

function nodeRequest(headers: Record<string, string> = { cookie }) {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

const fetchRequest = (body?: FormData | URLSearchParams) =>
  new Request('https://shop.test/signup', { method: 'POST', headers: { cookie }, body });

function formOf(clickId: string) {
  const form = new FormData();
  form.set('service_click_id', clickId);
  return form;
}

describe('clickIdFrom, for the click id in a request’s cookie,', () => {
  it.each([
    ['a Node request', nodeRequest()],
    ['a fetch request', fetchRequest()],
    ['a fetch request with an unread body', fetchRequest(formOf('clk_form'))],
    ['an Express request with a parsed form', { headers: { cookie }, body: { email: 'jo@example.com' } }],
    ['a form with a blank field', { headers: { cookie }, body: { service_click_id: ' ' } }],
    ['a form with a repeated field', { headers: { cookie }, body: { service_click_id: ['clk_1', 'clk_2'] } }],
  ])('reads it from %s', (_, request) => {
    expect(clickIdFrom(request)).toBe('clk_cookie');
  });

  it('decodes it', () => {
    expect(clickIdFrom(nodeRequest({ cookie: 'service_click_id=clk%5F1' }))).toBe('clk_1');
  });

  it.each([
    ['no cookie', {}],
    ['other cookies', { cookie: 'my_service_click_id=clk_1; service_click_ids=clk_2' }],
    ['an empty cookie', { cookie: 'service_click_id=; theme=dark' }],
    ['an invalid encoding', { cookie: 'service_click_id=%E0%A4%A' }],
    ['a value that is too long', { cookie: `service_click_id=${'x'.repeat(256)}` }],
  ])('finds none with %s', (_, headers) => {
    expect(clickIdFrom({ headers })).toBeUndefined();
  });
});

describe('clickIdFrom uses the click id of a form instead of the cookie’s', () => {
  it.each([
    ['a parsed form', { service_click_id: 'clk_form' }],
    ['FormData', formOf('clk_form')],
    ['URLSearchParams', new URLSearchParams({ service_click_id: 'clk_form' })],
  ])('if the form is %s', (_, form) => {
    expect(clickIdFrom({ headers: { cookie }, body: form })).toBe('clk_form');
    expect(clickIdFrom(fetchRequest(), form)).toBe('clk_form');
  });

  it('if the caller has already read the form from the fetch request, and passes it', async () => {
    const request = fetchRequest(formOf('clk_form'));
    expect(clickIdFrom(request, await request.formData())).toBe('clk_form');
  });
});
