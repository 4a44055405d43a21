import { Branded } from '#lib/apps/web/brand/branded.tsx';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { Installation } from '#lib/apps/web/api/installation.ts';
import { SignInPage } from '#lib/apps/web/parts/frame/sign-in-page.tsx';
import { openApi } from '#lib/apps/portal/open-api.ts';
import type { BrandShown } from '#lib/wire/programs/brand/brand.ts';

interface PartnerSignInProps {
  readonly installation: Installation;
  /** The program whose page the person wanted to open. */
  readonly programId: number | undefined;
  readonly notice?: string;
  readonly returnTo: string;
}

/** The sign-in page of partners. If the person wanted to open a page of a program, it shows the program's brand. */
export function PartnerSignIn({ programId, ...page }: PartnerSignInProps) {
  const brand = useLoaded(
    async () =>
      programId === undefined
        ? undefined
        : // If the brand cannot be loaded, the person can still sign in.
          openApi.get<BrandShown>(`/brand/${programId}`).catch(() => undefined),
    [programId],
  );
  const unknown = programId === undefined ? undefined : null;
  return (
    <Branded brand={brand.state === 'ready' ? brand.value : unknown}>
      <SignInPage
        intro="Accept an invitation, or see what you earned, why, and when it is paid. Sign in with the e-mail address to which the brand writes."
        {...page}
      />
    </Branded>
  );
}
