import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import type { Program } from '#lib/wire/programs/program.ts';

/** Shows the address of the page on which people apply to become a partner. */
export function JoinAddress({ program: { id, slug } }: { readonly program: Program }) {
  const { base_url: base } = useInstallation();
  const url = `${base}/join/${id}/${slug}`;
  return (
    <span class="link-line">
      <a href={url}>{url}</a>
      <CopyButton text={url} what="the address to join" />
    </span>
  );
}
