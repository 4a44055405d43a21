import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import type { Processor } from '#lib/wire/conversions/processor.ts';

/** Says in which way an event arrived. */
const wayTexts = { webhook: 'from Stripe', forwarded: 'forwarded by your server' } as const;

const modeTexts = { connect: 'Connected account', direct: 'Direct endpoint' } as const;

/** Shows what is known about the connection to Stripe. */
export const ProcessorFacts = ({ processor }: { readonly processor: Processor }) => (
  <dl class="facts">
    <dt>State</dt>
    <dd>
      {processor.mode ? <Badge tone="good">{modeTexts[processor.mode]}</Badge> : <Badge>Not connected</Badge>}{' '}
      {processor.livemode === false && <Badge tone="waiting">Test mode</Badge>}
    </dd>
    {processor.account_id && (
      <>
        <dt>Account</dt>
        <dd>
          <code>{processor.account_id}</code>
        </dd>
        <dt>Takes payments</dt>
        <dd>{processor.charges_enabled ? 'Yes' : 'Not yet: finish the account in Stripe'}</dd>
      </>
    )}
    {processor.connected_at && (
      <>
        <dt>Since</dt>
        <dd>
          <Time at={processor.connected_at} />
        </dd>
      </>
    )}
    {processor.last_delivery && (
      <>
        <dt>Last event</dt>
        <dd>
          <Time at={processor.last_delivery.at} /> <code>{processor.last_delivery.type}</code>:{' '}
          {processor.last_delivery.outcome.replaceAll('_', ' ')}, {wayTexts[processor.last_delivery.via]}
        </dd>
      </>
    )}
    {processor.last_bad_signature_at && (
      <>
        <dt>Last wrong signature</dt>
        <dd>
          <Time at={processor.last_bad_signature_at} /> (compare the signing secret with the one that Stripe shows;{' '}
          <a href="/docs/errors#messages" target="_blank">
            other causes
          </a>
          )
        </dd>
      </>
    )}
  </dl>
);
