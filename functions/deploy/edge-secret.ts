import { resourceHandler } from '#lib/service/http/triggers/resource-handler.ts';
import { trustEdge } from '#lib/service/ground/counters/trust-edge.ts';

/** The secret by which the functions know that a request came through the edge. */
export const handler = resourceHandler({ make: async (deps) => ({ secret: await trustEdge(deps) }) });
