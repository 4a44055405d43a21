import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Credential } from '#lib/service/ground/addresses/credential.ts';
import type { WarningCode } from '#lib/service/ground/values/warnings.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Authorization } from '#lib/service/http/callers/authorization.ts';

/** A JSON object as sent, without null fields, which count as absent. */
export type Json = Readonly<Record<string, unknown>>;

export interface RequestContext {
  readonly event: APIGatewayProxyEventV2;
  /** 32 lower-case hex characters, new for every request. */
  readonly requestId: string;
  readonly deps: Deps;
  readonly authorization: Authorization;
  /** The credential of the request. Its lookup starts immediately; checks await the result. */
  readonly credential: Promise<Credential | undefined>;
  /**
   * Returns the checked body, or throws the error that the check found. The check itself is made early, so that reads
   * can start.
   */
  readonly body: () => unknown;
  /** Warnings that a tracking call returns next to its result. */
  readonly warnings: WarningCode[];
  /** The client's address; set when the request is counted under it. */
  address?: string;
  /** Whether the same visitor used the same link within the last hour; set when a click is counted. */
  isRepeat?: boolean;
  /** The daily hash of the network from which a page's visitor clicked; set when a click is counted. */
  network?: string;
  /** Whether this network has already clicked in the same minute; set when a click is counted. */
  isOfSeenNetwork?: boolean;
  /** Program of the key that authenticated the request. */
  keyProgramId?: number;
}

/** A reply before it is formatted for the gateway. */
export interface Reply {
  statusCode: number;
  headers: Record<string, string>;
  body?: Record<string, unknown>;
  cookies?: string[];
  /** A text that is not JSON, sent instead of `body`. The headers contain its content type. */
  text?: string;
  /** Content that is not text, sent instead of `body`. The headers contain its type and how it may be cached. */
  bytes?: Uint8Array;
}
