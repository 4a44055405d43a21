import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/failure.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import type { ReferralLink } from '#lib/wire/partner.ts';

interface LinkSwitchProps {
  readonly link: ReferralLink;
  readonly onChange: (link: ReferralLink) => void;
}

/** Off: visitors still reach the site, but their clicks are not counted. */
export function LinkSwitch({ link, onChange }: LinkSwitchProps) {
  const { api, path, reload } = useProgram();
  const isActive = link.status === 'active';
  const toggle = useAction(async () => {
    const address = `${path}/links/${encodeURIComponent(link.short_link)}`;
    onChange(await api.send<ReferralLink>('PATCH', address, { status: isActive ? 'inactive' : 'active' }));
    // How many links the partner can still make depends on how many are on.
    await reload();
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
