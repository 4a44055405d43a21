const METRICS = 5;

/** As high as the figures and their chart, so that nothing below moves when they are there. */
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
