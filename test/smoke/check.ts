import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Answer, Wire } from '#test/smoke/wire.ts';

/** One requirement of a running service. */
export interface Check {
  readonly name: string;
  /** @throws an error that describes the problem */
  readonly run: (wire: Wire) => Promise<void>;
}

export const check = (name: string, run: Check['run']): Check => ({ name, run });

/** Expects a status; the error shows the start of the body. */
export function hasStatus({ status, text }: Answer, expected: number): void {
  strictEqual(status, expected, `answered ${status} instead of ${expected}: ${text.slice(0, 300)}`);
}

export function hasHeader({ headers }: Answer, name: string, expected: string | RegExp): void {
  const value = headers.get(name) ?? '';
  const isRight = typeof expected === 'string' ? value === expected : expected.test(value);
  ok(isRight, `${name} is ${JSON.stringify(value)} instead of ${String(expected)}`);
}

/** Expects a reply of the API: JSON that is not cached, with a request id. */
export function isApiAnswer(answer: Answer, status: number): void {
  hasStatus(answer, status);
  hasHeader(answer, 'Content-Type', 'application/json; charset=utf-8');
  hasHeader(answer, 'Cache-Control', 'no-store');
  hasHeader(answer, 'X-Request-ID', /^[0-9a-f]{32}$/);
}

/** Expects a rate-limited reply of the API. */
export function isCounted(answer: Answer, perMinute: number): void {
  hasHeader(answer, 'X-RateLimit-Limit', String(perMinute));
  hasHeader(answer, 'X-RateLimit-Remaining', /^\d+$/);
  hasHeader(answer, 'X-RateLimit-Reset', /^\d{10}$/);
}

/** Expects a refusal in the platform's envelope. */
export function isRefusal(answer: Answer, status: number, name: string, message: string, code?: string): void {
  isApiAnswer(answer, status);
  deepStrictEqual(answer.json, { data: null, error: { status, name, message, ...(code && { code }), details: {} } });
}
