import type { Partner } from '#lib/wire/partners/partner.ts';

/** Explains why a partner gets no mails. Shows nothing if the partner gets them. */
export function MailNotice({ partner: { name, email, mail } }: { readonly partner: Partner }) {
  if (mail === 'ok') return null;
  return (
    <div class={`notice ${mail === 'suppressed' ? 'warning' : ''}`}>
      {mail === 'suppressed' ? (
        <p>
          <strong>
            <bdi>{name}</bdi> gets no mails.
          </strong>{' '}
          A mail to <bdi>{email}</bdi> came back, or was reported as spam. Ask for another address, and change it with
          Edit.
        </p>
      ) : (
        <p>
          <strong>
            <bdi>{name}</bdi> wants no mails.
          </strong>{' '}
          They see payouts and new terms in the partner portal only.
        </p>
      )}
    </div>
  );
}
