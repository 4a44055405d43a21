/**
 * Replaces `@smithy/core/event-streams` in the bundles. No DynamoDB or S3 call made here uses event streams, and
 * bundling the original would also bundle all of the modules that it shares with the rest of the SDK.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = (): undefined => undefined;
export const EventStreamSerde = undefined;
