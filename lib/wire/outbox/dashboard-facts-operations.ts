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
    summary: 'What webhook endpoints are sent',
    description:
      'Of the last 30 days, oldest first; clicks only while an endpoint names them. Facts are stored from `meta.since` on. A fact is here seconds after it ' +
      'happened, and one that happened earlier may come after it: who reads on from a row should also look again at the ' +
      'minutes before it, and drop known ids. A page may be short, or empty, before the last one.',
    parameters: [
      programId,
      inQuery('type', 'Only those.', WebhookEventType),
      inQuery('since', 'Only what happened then or later.', time),
      inQuery('id', 'The one with this id, a `webhook-id`.'),
      ...page,
    ],
    ok: [FactPage],
    refusals: [...pageRefusals, refusals.notOneOf('type', ANY_TEXT, factTypes), refusals.timeInvalid('since')],
  }),
} satisfies Readonly<Record<string, Operation>>;
