import { expect, it } from 'vitest';
import { problemsOf } from '#test/support/cases/documented-reply.ts';
import { platformError } from '#test/support/servers/errors.ts';
import type { TestReply } from '#test/support/callers/request.ts';

// Tests that the check of replies, which every test of the suite uses, can fail.

const headers = {
  'X-Request-ID': '0'.repeat(32),
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
  'X-RateLimit-Limit': '300',
  'X-RateLimit-Remaining': '299',
  'X-RateLimit-Reset': '1795186860',
};
const revoked: TestReply = { status: 200, headers, body: { data: { revoked: true } } };
const { 'X-Request-ID': _, ...withoutId } = headers;

it('problemsOf returns no problems for a reply as the OpenAPI document describes it', () => {
  expect(problemsOf('dashboard/session/delete', revoked)).toEqual([]);
});

it.each<[string, Partial<TestReply>, string]>([
  ['another status', { status: 201 }, 'status 201 is not documented'],
  ['an extra key', { body: { data: { revoked: true, at: 1 } } }, 'unrecognized_keys'],
  ['another value', { body: { data: { revoked: false } } }, 'invalid_value'],
  ['another message', { status: 401, body: platformError(401, 'Who are you?') }, 'error","message'],
  ['a missing header', { headers: withoutId }, 'header X-Request-ID is missing'],
  ['an extra header', { headers: { ...headers, Server: 'x' } }, 'header Server is not documented'],
  [
    'another value of a header',
    { headers: { ...headers, 'Cache-Control': 'public' } },
    'header Cache-Control is public',
  ],
  ['a non-numeric header', { headers: { ...headers, 'X-RateLimit-Limit': 'x' } }, 'X-RateLimit-Limit is x'],
  ['another content type', { headers: { ...headers, 'Content-Type': 'text/html' } }, 'content type text/html'],
])('problemsOf finds in a reply %s', (_name, changes, problem) => {
  const problems = problemsOf('dashboard/session/delete', { ...revoked, ...changes }).join();
  expect(problems).toContain(problem);
});
