import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Deployment } from '#infra/emulator/deployment.ts';

interface EdgeRequest {
  /** A credential, which is sent as `Authorization: Bearer <key>`. */
  readonly key?: string | undefined;
  /** A text or bytes are sent unchanged; any other value is sent as JSON. */
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
/** Returns a new client address for each request, so that no request reaches the rate limit of its address. */
const freshAddress = (): string => {
  requests += 1;
  return `127.1.${(requests >> 8) & 255}.${(requests % 254) + 1}`;
};

/** Returns a function that sends requests through the emulated CloudFront, API Gateway and Lambda. */
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
              // Bytes need this type: API Gateway passes a body base64-encoded only if its type is neither JSON nor
              // text.
              'content-type': Buffer.isBuffer(sent) ? 'application/octet-stream' : 'application/json',
              // For a DELETE with a body, Node does not set this header itself.
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
