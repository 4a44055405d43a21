import { useContext } from 'preact/hooks';
import { BrandContext } from '#lib/apps/web/brand/brand-context.ts';
import { MailLink } from '#lib/apps/web/parts/figures/mail-link.tsx';

/** The footer of a brand's pages, with the address for questions. */
export function BrandContact() {
  const contact = useContext(BrandContext)?.contact_email;
  if (!contact) return null;
  return (
    <p class="brand-contact">
      Questions? <MailLink to={contact} />
    </p>
  );
}
