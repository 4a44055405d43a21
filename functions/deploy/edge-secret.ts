import { resourceHandler } from '#lib/deploy/resource-handler.ts';
import { trustEdge } from '#lib/use-cases/trust-edge.ts';

/** The secret by which the functions know that a request came through the edge. */
export const handler = resourceHandler({ make: async (deps) => ({ secret: await trustEdge(deps) }) });
