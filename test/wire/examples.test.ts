import { beforeAll, describe, expect, it } from 'vitest';
import { examplesFile } from '#lib/wire/document/examples.ts';
import { operations } from '#lib/wire/document/operations.ts';
import { openRecorder } from '#test/wire/recorder.ts';
import { liveThroughInterface } from '#test/wire/journey.ts';
import { openIssuer } from '#test/support/callers/logins/issuer.ts';
import { counted } from '#test/support/table/stream.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openWorld } from '#test/support/programs/world.ts';

let examples: ReturnType<Awaited<ReturnType<typeof openRecorder>>['examples']>;
beforeAll(async () => {
  const [world, issuer] = await Promise.all([openWorld(), openIssuer()]);
  openProcessor();
  Object.assign(process.env, { STRIPE_CONNECT_CLIENT_ID: 'ca_example', STRIPE_SECRET_KEY: 'sk_example' });
  const recorder = await openRecorder();
  await liveThroughInterface({ ...world, counted: () => counted(world) }, issuer, recorder);
  examples = recorder.examples();
});

it('the recorded examples equal the service’s replies; `vitest -u` records them again', async () => {
  await expect(`${JSON.stringify(examples, undefined, 2)}\n`).toMatchFileSnapshot(examplesFile);
});

const withBody = Object.values(operations).flatMap(({ id, body, replies }) =>
  typeof id === 'string' ? [{ id, body, reply: replies[200]?.body }] : [],
);

describe('the recorded example of a reply is valid by the OpenAPI document', () => {
  it.each(withBody.filter(({ reply }) => reply))('of the operation $id', ({ id }) => {
    expect(Object.keys(examples[id]?.replies[200] ?? {})).not.toEqual([]);
  });
});

describe('the recorded example of a request is valid by the OpenAPI document', () => {
  it.each(withBody.filter(({ body }) => body))('of the operation $id', ({ id, body }) => {
    const requests = Object.values(examples[id]?.request ?? {});
    expect(requests).not.toEqual([]);
    for (const { value } of requests) expect(body?.safeParse(value)).toMatchObject({ success: true });
  });
});
