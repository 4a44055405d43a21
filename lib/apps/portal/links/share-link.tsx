import { useId, useState } from 'preact/hooks';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { saveFile } from '#lib/apps/web/api/save-file.ts';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { deepLink } from '#lib/apps/portal/links/deep-link.ts';
import { QrCode, qrFile } from '#lib/apps/portal/links/qr-code.tsx';
import type { PortalLink } from '#lib/wire/partners/partner.ts';

interface ShareLinkProps {
  readonly link: PortalLink;
  readonly onClose: () => void;
}

/** Opens the device's own list of apps. If the person closes it without a choice, the promise is rejected. */
const share = (url: string): Promise<void> => navigator.share({ url }).catch(() => {});

/** Shows a link, to any page of the site, as a text to copy and as a QR code. */
export function ShareLink({ link: { short_link: name, url }, onClose }: ShareLinkProps) {
  const { program } = useProgram();
  const [page, setPage] = useState('');
  const id = useId();
  const address = page.trim() === '' ? url : deepLink(url, page.trim(), program.domain);
  return (
    <Dialog title={`Share link ${name}`} onClose={onClose}>
      <div class="field">
        <label for={id}>Page to show</label>
        <input
          id={id}
          type="url"
          placeholder={`https://${program.domain}/pricing`}
          value={page}
          aria-invalid={address === undefined ? 'true' : undefined}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => setPage(currentTarget.value)}
        />
        <p class={address === undefined ? 'objection' : 'hint'} id={`${id}-hint`} role="status">
          {address === undefined
            ? `This is not a page of ${program.domain}.`
            : `Any page of ${program.domain}. Leave it empty for the page to which the link leads.`}
        </p>
      </div>
      {address !== undefined && (
        <>
          <div class="share-address">
            <code>{address}</code>
            <CopyButton text={address} what="this address" />
          </div>
          <QrCode text={address} label={`QR code of ${address}`} />
          <div class="form-buttons">
            {'share' in navigator && (
              <button type="button" class="button primary" onClick={() => void share(address)}>
                Send in an app…
              </button>
            )}
            <button type="button" class="button" onClick={() => saveFile(qrFile(address), `${name}-qr-code.svg`)}>
              Save the QR code
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
