import { resourceHandler } from '#lib/service/triggers/custom-resource/resource-handler.ts';
import { trustEdge } from '#lib/service/use-cases/trust-edge.ts';

/** The secret by which the functions know that a request came through the edge. */
export const handler = resourceHandler({ make: async (deps) => ({ secret: await trustEdge(deps) }) });
