const METRICS = 5;

/**
 * A placeholder for the metrics and their chart. It has the same height, so that nothing below moves when they are
 * loaded.
 */
export const ReportSkeleton = () => (
  <div class="card report" role="status" aria-label="Loading">
    <div class="metrics">
      {Array.from({ length: METRICS }, (_, at) => (
        <div key={at} class="metric skeleton">
          <span class="skeleton-line" />
          <span class="skeleton-line" />
          <span class="skeleton-line" />
        </div>
      ))}
    </div>
    <div class="chart" />
  </div>
);
