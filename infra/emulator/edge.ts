import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Deployment } from '#infra/emulator/deployment.ts';

interface EdgeRequest {
  /** The key, which is sent as `Authorization: Bearer <key>`. */
  readonly key?: string | undefined;
  /** Text and bytes are sent unchanged, other values as JSON. */
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
      const isSentAsItIs = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
      const sent = isSentAsItIs ? body : JSON.stringify(body);
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
              // The gateway passes bytes of other types than JSON and text encoded.
              'content-type': Buffer.isBuffer(sent) ? 'application/octet-stream' : 'application/json',
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
