import { columns } from '#lib/apps/cli/commands/columns.ts';
import type { Command } from '#lib/apps/cli/commands/command.ts';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { askWithKey } from '#lib/apps/cli/machine/service.ts';
import type { ChainResult, SentTestEvent } from '#lib/wire/reports/readiness.ts';

const events = ['click', 'lead', 'sale', 'chain'];

export const testEvent: Command = {
  usage: 'click|lead|sale|chain',
  summary: 'send a test event, or a whole chain of them',
  interrupted: 'Interrupted. The test event may have been recorded; it costs nothing.',
  async run(invocation) {
    const { event } = invocation;
    if (event === undefined || !events.includes(event)) {
      const problem = event === undefined ? 'Which test event?' : 'There is no such test event.';
      throw new Failure(`${problem} Valid: ${events.join(', ')}`, { code: 'invalid_event_type' });
    }
    const body = event === 'chain' ? { type: 'chain' } : { event_type: event };
    const data = await askWithKey(invocation, { method: 'POST', path: '/api/v1/cli/test-event', body });
    return event === 'chain' ? chainOutcome(data as ChainResult) : singleOutcome(data as SentTestEvent);
  },
};

const singleOutcome = (data: SentTestEvent) => ({
  json: data,
  text: () => `${data.message} (event ${data.event_id}). It counts for the checklist, and for no partner.`,
});

const chainOutcome = (data: ChainResult) => ({
  json: data,
  text: () => chainText(data),
  isFailure: !data.attributed,
});

function chainText({ verdict, attributed }: ChainResult): string {
  const verdicts = columns([
    ['click', verdict.click],
    ['lead', verdict.lead],
    ['sale', verdict.sale],
  ]);
  const summary = attributed
    ? 'The chain holds: the sale is attributed to the test partner. No commission was created.'
    : 'The chain is broken where the first step is not attributed. Ask the operator of the service, with this output.';
  return `${verdicts}\n\n${summary}`;
}
