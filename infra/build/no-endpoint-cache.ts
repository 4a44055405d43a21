/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles. The SDK creates a cache for endpoint discovery, which is off by
 * default. The original includes an LRU cache library, 8 KB of every cold start.
 */
export class EndpointCache {
  readonly getEndpoint = (): undefined => undefined;
}
