import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { instructions } from '#lib/apps/cli/project/instructions.ts';
import { stripeEvents } from '#lib/apps/dashboard/settings/integrations/stripe-events.ts';
import { readEvent } from '#lib/service/conversions/stripe/read-event.ts';

// Dashboard, CLI and service share no code. The service must handle the events that the other two ask a brand to
// select.

it.each(stripeEvents)('the service processes Stripe’s events of the type %s, which the dashboard lists', (type) => {
  const event = { id: 'evt_1', type, created: 1_795_186_800, data: { object: {} } };
  expect(readEvent(event)?.report).not.toEqual({ kind: 'ignored', reason: 'other_type' });
});

it('the set-up instructions list the types of Stripe’s events that the dashboard lists, one per line', () => {
  const guide = instructions(
    {
      program_id: 1,
      program_slug: 'a',
      name: 'a',
      domain: 'a.test',
      status: 'active',
      commission_type: 'percent',
      commission_rate: 20,
      duration_months: null,
      attribution_window_days: 60,
      lead_auth: 'server_required',
      api_token_masked: '****abcd',
      api_key_url: '',
    },
    'https://track.test',
  );
  expect(guide).toContain(`\`\`\`text\n${stripeEvents.join('\n')}\n\`\`\`\n`);
});

it.each(['lib/apps/client/guides/stripe.md', 'lib/apps/dashboard/stripe.md'])(
  'the document %s lists the types of Stripe’s events that the dashboard lists',
  async (document) => {
    const text = await readFile(document, 'utf8');
    const list =
      /checkout\.session\.completed`?[\s,]+`?checkout\.session\.async_payment_succeeded[^]*?funds_reinstated/;
    const [named] = list.exec(text) ?? [];
    expect(named?.match(/[a-z_]+(?:\.[a-z_]+)+/g)).toEqual(stripeEvents);
  },
);
