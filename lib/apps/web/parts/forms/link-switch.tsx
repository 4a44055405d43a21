import type { Api } from '#lib/apps/web/api/api.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { sendSeen } from '#lib/apps/web/forms/send-seen.ts';
import type { PortalLink } from '#lib/wire/partners/partner.ts';

type Switchable = Pick<PortalLink, 'short_link' | 'status'>;

interface LinkSwitchProps<Link extends Switchable> {
  readonly api: Api;
  /** Path of the program in the API. */
  readonly path: string;
  readonly link: Link;
  readonly onChange: (link: Link) => void | Promise<void>;
}

/** Turns a link on or off. If off, visitors still reach the site, but their clicks are not counted. */
export function LinkSwitch<Link extends Switchable>({ api, path, link, onChange }: LinkSwitchProps<Link>) {
  const isActive = link.status === 'active';
  const toggle = useAction(async () => {
    const address = `${path}/links/${encodeURIComponent(link.short_link)}`;
    await onChange(await sendSeen(api, address, link, { status: isActive ? 'inactive' : 'active' }));
  });
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`Switch ${isActive ? 'off' : 'on'} link ${link.short_link}`}
        aria-disabled={toggle.isPending}
        onClick={toggle.run}
      >
        {isActive ? 'Switch off' : 'Switch on'}
      </button>
      {toggle.error && <Failure error={toggle.error} />}
    </>
  );
}
