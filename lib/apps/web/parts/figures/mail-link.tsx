/**
 * A link that writes a mail. The address is encoded, because characters such as `?` could otherwise add a subject or
 * further recipients to the mail.
 */
export const MailLink = ({ to }: { readonly to: string }) => (
  <a href={`mailto:${encodeURIComponent(to).replace('%40', '@')}`}>{to}</a>
);
