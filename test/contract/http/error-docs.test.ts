import { expect, it } from 'vitest';
import { errorDocs, uncodedMessages } from '#lib/apps/dashboard/error-docs.ts';
import { errorPage } from '#lib/apps/dashboard/static/error-page.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { warnings } from '#lib/service/ground/values/warnings.ts';

/** The codes in replies, and that of a suspended login. */
const codes = [
  'invalid_request',
  'no_attribution',
  'unauthorized',
  'not_found',
  'duplicate_transaction',
  'unsupported_currency',
  'internal_error',
  'invalid_key',
  'rate_limited',
  'api_key_rotation_required',
  'link_disabled',
  'ACCOUNT_BLOCKED',
  ...Object.keys(warnings),
];

it('the error page describes every error code once', () => {
  expect(errorDocs.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
});

/** The service's messages without arguments. */
const said = new Set(
  Object.values(refusals).flatMap((made): string[] => {
    if (typeof made === 'object') return Object.values(made).filter((text) => typeof text === 'string');
    if (typeof made === 'string') return [made];
    if (made === refusals.Refusal || made.length > 0) return [];
    return [(made as () => Error)().message];
  }),
);

it('the error page also explains replies that have no error code', () => {
  const page = errorPage({ style: '/s.css', product: 'Referrals' });
  for (const text of ['Answers without an envelope', 'Too Many Requests', 'Service Unavailable', 'From the edge']) {
    expect(page).toContain(text);
  }
});

const meaningOf = (wanted: string) => uncodedMessages.find(({ message }) => message === wanted)?.meaning ?? '';

it('the error page lists the causes of the errors “Invalid signature” and “Invalid JSON body”', () => {
  const causes = ['no signing secret', 'another endpoint’s', 'more than five minutes ago', 'is missing'];
  expect(causes.filter((cause) => !meaningOf('Invalid signature').includes(cause))).toEqual([]);
  expect(['a list', 'encoded twice'].filter((cause) => !meaningOf('Invalid JSON body').includes(cause))).toEqual([]);
});

it('the error page quotes only messages that the service really sends', () => {
  const quoted = [...errorDocs.flatMap(({ messages = [] }) => messages), ...uncodedMessages].map(
    ({ message }) => message,
  );
  expect(quoted.filter((message) => !said.has(message)).toSorted()).toEqual([
    // Messages with arguments, or from checks of fields and envelopes; test/contract tests each text.
    'Customer status cannot be updated to lead. Current status: lead',
    'Failed to compute readiness. Retry shortly.',
    'Unknown field curency. Did you mean currency?',
    'amount_cents is required and must be a positive integer',
    'occurred_at must be an ISO 8601 time within the last 30 days',
    'reason must be refund or chargeback',
    'tax_cents must be an integer from 0 to amount_cents',
    'transaction_id is required and must be a string',
  ]);
});
