import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';

/**
 * The frame while the session is being loaded. It shows no name, because the name of a brand may replace that of the
 * product.
 */
export const FrameSkeleton = () => (
  <div class="frame">
    <div class="navigation" aria-hidden="true">
      <div class="navigation-top">
        <span class="brand" />
      </div>
      <Skeleton lines={6} />
    </div>
    <main id="main">
      <Skeleton lines={8} />
    </main>
  </div>
);
