/**
 * Stands in for `@smithy/core/event-streams` in the bundles. Nothing that we ask of DynamoDB or S3 is an event stream, and
 * the original's code would keep the modules it shares with the rest of the SDK from being tree-shaken.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = (): undefined => undefined;
export const EventStreamSerde = undefined;
