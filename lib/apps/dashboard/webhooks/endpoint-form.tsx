import { useState } from 'preact/hooks';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { Checkbox, Field, Select } from '#lib/apps/web/parts/forms/field.tsx';
import { chosenEvents, isToAll, type SubscribedEvents } from '#lib/apps/dashboard/webhooks/event-texts.ts';
import type { WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

const modes = [
  ['all', 'All but clicks'],
  ['all-with-clicks', 'All, with clicks'],
  ['chosen', 'Some'],
] as const;
type Mode = (typeof modes)[number][0];

function modeOf(events: SubscribedEvents): Mode {
  if (!isToAll(events)) return 'chosen';
  return events.includes('click.recorded') ? 'all-with-clicks' : 'all';
}

function eventsIn(entered: Entered): SubscribedEvents {
  if (entered['events'] === 'all') return ['*'];
  if (entered['events'] === 'all-with-clicks') return ['*', 'click.recorded'];
  return chosenEvents.map(([name]) => name).filter((name) => entered[name] !== undefined);
}

/** Converts what was entered to the fields of a request. */
export const endpointIn = ({
  url = '',
  description = '',
  ...entered
}: Entered): Pick<WebhookEndpoint, 'url' | 'description' | 'events'> => ({
  url,
  description,
  events: eventsIn(entered),
});

/** Inputs for the settings of an endpoint. @param endpoint undefined for a new one */
export function EndpointFields({ endpoint }: { readonly endpoint?: WebhookEndpoint }) {
  const events = endpoint?.events ?? ['*'];
  const [mode, setMode] = useState<string>(modeOf(events));
  return (
    <>
      <Field
        name="url"
        label="Address"
        required
        maxLength={2_048}
        placeholder="https://example.com/webhooks"
        defaultValue={endpoint?.url}
        hint="An https address that can be reached from the internet."
      />
      <Field
        name="description"
        label="Description"
        maxLength={200}
        defaultValue={endpoint?.description}
        hint="A note for your colleagues: which system receives the events."
      />
      <Select
        name="events"
        label="Events"
        options={modes}
        value={mode}
        onChange={setMode}
        hint="There may be very many clicks, so an endpoint receives them only if you select them."
      />
      {mode === 'chosen' && (
        <div role="group" aria-label="Events to send">
          {chosenEvents.map(([name, text]) => (
            <Checkbox key={name} name={name} label={name} hint={text} defaultChecked={events.includes(name)} />
          ))}
        </div>
      )}
    </>
  );
}
