import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';

/** The frame while the session is being loaded. */
export const FrameSkeleton = () => (
  <div class="frame">
    <div class="navigation" aria-hidden="true">
      <div class="navigation-top">
        <span class="brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Referrals
        </span>
      </div>
      <Skeleton lines={6} />
    </div>
    <main id="main">
      <Skeleton lines={8} />
    </main>
  </div>
);
