import { useContext } from 'preact/hooks';
import { BrandContext } from '#lib/apps/web/brand/brand-context.ts';

/** The footer of a brand's pages, with the address for questions. */
export function BrandContact() {
  const contact = useContext(BrandContext)?.contact_email;
  if (!contact) return null;
  // The address is encoded. Otherwise characters such as `?` could add a subject or further recipients to the mail.
  const address = encodeURIComponent(contact).replace('%40', '@');
  return (
    <p class="brand-contact">
      Questions? <a href={`mailto:${address}`}>{contact}</a>
    </p>
  );
}
