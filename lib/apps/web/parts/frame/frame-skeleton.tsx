import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';

/**
 * What is shown while the session is being loaded. It contains no name, because it is not known yet whether a brand's
 * name replaces the product's.
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
