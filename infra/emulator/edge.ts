import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Deployment } from '#infra/emulator/deployment.ts';

interface EdgeRequest {
  /** The key, which is sent as `Authorization: Bearer <key>`. */
  readonly key?: string | undefined;
  /** An object is sent as JSON, a text unchanged, and bytes as a file. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface EdgeReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body of the reply, parsed if it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into replies of every shape
  readonly body: any;
}

export type Edge = (method: string, path: string, request?: EdgeRequest) => Promise<EdgeReply>;

let requests = 0;
/** Returns a new client address for each request, so that the rate limits per address are not reached. */
const freshAddress = (): string => {
  requests += 1;
  return `127.1.${(requests >> 8) & 255}.${(requests % 254) + 1}`;
};

/** Sends requests through CloudFront, API Gateway and a function. */
export const openEdge =
  ({ port, outputs }: Pick<Deployment, 'port' | 'outputs'>): Edge =>
  (method, path, { key, body, headers } = {}) =>
    new Promise((resolve, reject) => {
      const isFile = body instanceof Uint8Array;
      const sent = body === undefined || typeof body === 'string' || isFile ? body : JSON.stringify(body);
      const call = httpRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          localAddress: freshAddress(),
          agent: false,
          headers: {
            host: outputs.DistributionHost,
            // Makes CloudFront treat the request as https.
            'x-forwarded-proto': 'https',
            ...(sent !== undefined && {
              'content-type': isFile ? 'application/octet-stream' : 'application/json',
              // Node omits this header from a DELETE.
              'content-length': String(Buffer.byteLength(sent)),
            }),
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...headers,
          },
        },
        (answer) => {
          text(answer).then((said) => {
            const isJson = String(answer.headers['content-type']).startsWith('application/json');
            resolve({
              status: answer.statusCode!,
              headers: answer.headers,
              body: isJson && said !== '' ? JSON.parse(said) : said,
            });
          }, reject);
        },
      );
      call.on('error', reject);
      call.end(sent);
    });
