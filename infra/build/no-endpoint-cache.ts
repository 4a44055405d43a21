/**
 * Stands in for `@aws-sdk/endpoint-cache` in the bundles. The SDK makes one for endpoint discovery, which is off unless
 * asked for, and hands it a size; the original brings an LRU cache and its library along, 8 KB of every cold start.
 */
export class EndpointCache {
  readonly getEndpoint = (): undefined => undefined;
}
