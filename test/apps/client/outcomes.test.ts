import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { routes } from '#infra/routes.ts';
import { eventOutcomes } from '#lib/service/conversions/processors/event-outcomes.ts';
import { openApiDocument } from '#lib/wire/document/document.ts';

// The client's document and the API document describe the outcomes of a forwarded event in the same words.

it('the guide stripe-outcomes.md of the client explains each outcome of a forwarded Stripe event', async () => {
  const text = await readFile('lib/apps/client/guides/stripe-outcomes.md', 'utf8');
  const rows = [...text.matchAll(/^- `(\w+)`: (.*)$/gm)].map(([, outcome, sentence]) => [outcome, sentence]);
  expect(Object.fromEntries(rows)).toEqual(eventOutcomes);
});

it('the OpenAPI document explains each outcome of a forwarded Stripe event as the client’s guide does', () => {
  const document = JSON.stringify(openApiDocument(routes));
  expect(document).toContain(`"enum":${JSON.stringify(Object.keys(eventOutcomes))}`);
  for (const [outcome, sentence] of Object.entries(eventOutcomes)) {
    expect(document).toContain(`- \`${outcome}\`: ${sentence}`);
  }
});
