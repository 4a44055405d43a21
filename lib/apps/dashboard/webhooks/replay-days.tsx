import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Field, Select } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { eventsOf } from '#lib/apps/dashboard/webhooks/event-texts.ts';
import type { QueuedReplay, WebhookEndpoint } from '#lib/wire/outbox/webhook.ts';

interface ReplayDaysProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
  readonly onQueued: () => Promise<void>;
}

/** A form that sends the events of some days again, even those that are older than the endpoint. */
export function ReplayDays({ endpoint, onClose, onQueued }: ReplayDaysProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [queued, setQueued] = useState<number>();
  return (
    <Dialog title="Send events again" onClose={onClose}>
      {queued === undefined ? (
        <Form
          submit="Send again"
          onCancel={onClose}
          onSubmit={async ({ from, to, event }) => {
            const days = { from, to, event: event || undefined };
            const reply = await api.send<QueuedReplay>('POST', `${path}/webhooks/${endpoint.id}/replay`, days);
            setQueued(reply.queued);
            await onQueued();
          }}
        >
          <p class="hint">
            Events are kept for 30 days, including those from before the endpoint was added. Each keeps its id, so that
            a receiver recognizes it.
          </p>
          <Field name="from" label="First day" type="date" required defaultValue={api.today()} hint="In UTC." />
          <Field name="to" label="Last day" type="date" required defaultValue={api.today()} hint="In UTC." />
          <Select
            name="event"
            label="Events"
            options={[['', 'All that it gets'], ...eventsOf(endpoint.events).map((name) => [name, name] as const)]}
          />
        </Form>
      ) : (
        <>
          <p role="status">
            {queued === 0 ? 'There is no such event on these days.' : `${countOf(queued, 'event')} will be sent.`}
          </p>
          <div class="form-buttons">
            <button type="button" class="button primary" onClick={onClose}>
              Close
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
