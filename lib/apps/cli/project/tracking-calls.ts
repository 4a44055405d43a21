/** Code examples that show where to add tracking calls to a project's pages and server. */
export interface TrackingCalls {
  readonly script_tag: string;
  readonly signup_call: string;
  readonly lead_api: string;
  readonly sale_api: string;
}

export const trackingCalls = (apiUrl: string, programId: number): TrackingCalls => ({
  script_tag: `<script async src="${apiUrl}/js/tracker.js" data-service-program-id="${programId}"></script>`,
  signup_call: "window.serviceQueue = window.serviceQueue || []; serviceQueue.push(['signup', customerKey, email]);",
  lead_api: `POST ${apiUrl}/api/v1/track/lead`,
  sale_api: `POST ${apiUrl}/api/v1/track/sale`,
});
