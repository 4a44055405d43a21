import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Section } from '#lib/apps/web/parts/frame/section.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import type { MailChoice } from '#lib/wire/partners/portal-program.ts';

/** A form that turns the service's mails to the person on or off. */
export function MailSection() {
  const { api, me, reload } = useSession();
  const set = useAction(async () => {
    await api.send<MailChoice>('PATCH', '/me', { mail: !me.mail });
    await reload();
  });
  return (
    <Section
      id="mail"
      title="E-mails"
      intro="They report invitations, decisions, payouts and new terms. About sign-ins, your payout details and exports of your data you always get e-mails."
    >
      <p role="status">
        {me.mail
          ? `You get e-mails at ${me.account.email}.`
          : 'You get only the e-mails about sign-ins, your payout details and exports of your data.'}
      </p>
      <button type="button" class="button" aria-disabled={set.isPending} onClick={set.run}>
        {me.mail ? 'Turn e-mails off' : 'Turn e-mails on'}
      </button>
      {set.error && <Failure error={set.error} />}
    </Section>
  );
}
