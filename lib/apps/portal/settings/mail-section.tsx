import { useState } from 'preact/hooks';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/failure.tsx';
import { Section } from '#lib/apps/web/parts/section.tsx';
import { useSession } from '#lib/apps/portal/session.ts';

/** Whether the person gets mails. */
export function MailSection() {
  const { api, me } = useSession();
  const [wish, setWish] = useState<boolean>();
  const set = useAction(async (mail: boolean) => {
    setWish((await api.send<{ readonly mail: boolean }>('PATCH', '/me', { mail })).mail);
  });
  return (
    <Section
      id="mail"
      title="E-mails"
      intro="About invitations, decisions, payouts and new terms. A change of your payout details is always told to you."
    >
      <p>To {me.account.email}</p>
      <div class="form-buttons">
        <button
          type="button"
          class="button"
          aria-pressed={wish === undefined ? undefined : wish}
          aria-disabled={set.isPending}
          onClick={() => set.run(true)}
        >
          Send me e-mails
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={wish === undefined ? undefined : !wish}
          aria-disabled={set.isPending}
          onClick={() => set.run(false)}
        >
          Send me none
        </button>
      </div>
      {wish !== undefined && (
        <p class="saved" role="status">
          {wish ? 'You get e-mails.' : 'You get no e-mails but about your payout details.'}
        </p>
      )}
      {set.error && <Failure error={set.error} />}
    </Section>
  );
}
