/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles. The SDK creates the cache for endpoint discovery, which is off by
 * default. The package includes an LRU cache library, which would add 8 KB to every cold start.
 */
export class EndpointCache {
  readonly getEndpoint = (): undefined => undefined;
}
