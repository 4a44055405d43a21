import { factTypes } from '#lib/service/outbox/facts/fact.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { FactPage, WebhookEventType } from '#lib/wire/outbox/fact.ts';
import { time } from '#lib/wire/words/fields.ts';
import { ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { ofProgram, pageRefusals } from '#lib/wire/document/dashboard-operations.ts';
import { inQuery, page, programId } from '#lib/wire/words/parameters.ts';

export const factRoutes = {
  'dashboard/facts/get': operation(ofProgram('webhooks'), {
    id: 'listFacts',
    summary: 'List the events that webhook endpoints receive',
    description:
      'The facts of the last 30 days, oldest first. Clicks are included only while an endpoint subscribes to them. Facts are stored from `meta.since` on. A fact appears within seconds, possibly after a later one: to read new facts, start a few minutes before the last row that you read, and ignore known ids. A page may be short or empty even if it is not the last.',
    parameters: [
      programId,
      inQuery('type', 'Only facts of this type.', WebhookEventType),
      inQuery('since', 'Only facts at or after this time.', time),
      inQuery('id', 'Only the fact with this id, which is a `webhook-id`.'),
      ...page,
    ],
    ok: [FactPage],
    refusals: [...pageRefusals, refusals.notOneOf('type', ANY_TEXT, factTypes), refusals.timeInvalid('since')],
  }),
} satisfies Readonly<Record<string, Operation>>;
