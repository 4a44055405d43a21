import { resourceHandler } from '#lib/service/http/triggers/resource-handler.ts';
import { trustEdge } from '#lib/service/ground/counters/trust-edge.ts';

/** Creates the secret that proves to the functions that a request came through CloudFront. */
export const handler = resourceHandler({ make: async (deps) => ({ secret: await trustEdge(deps) }) });
