import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Credential } from '#lib/service/ground/addresses/credential.ts';
import type { WarningCode } from '#lib/service/ground/values/warnings.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Authorization } from '#lib/service/http/callers/authorization.ts';

/** A JSON object as sent, without the fields that hold null: they count as absent. */
export type Json = Readonly<Record<string, unknown>>;

/** The context of one request. */
export interface RequestContext {
  readonly event: APIGatewayProxyEventV2;
  /** 32 lower-case hex characters, new for every request. */
  readonly requestId: string;
  readonly deps: Deps;
  readonly authorization: Authorization;
  /** The holder of the token; looked up at once, awaited where needed. */
  readonly credential: Promise<Credential | undefined>;
  /** The checked body. It was parsed at once, so that reads can start early, but refuses only when asked for. */
  readonly body: () => unknown;
  /** Warnings that a tracking call gets beside its result. */
  readonly warnings: WarningCode[];
  /** Of the client, once the request is counted under it. */
  address?: string;
  /** Whether the same visitor came the same way within the last hour, once a click is counted. */
  isRepeat?: boolean;
  /** Of the network of a page's visitor, once a click is counted: its hash of the day. */
  network?: string;
  /** Whether this network has clicked in the same minute before, once a click is counted. */
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
  /** Instead of a body: text that is not JSON. Its type is in the headers. */
  text?: string;
}
