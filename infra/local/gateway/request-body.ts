import type { IncomingMessage } from 'node:http';

/** Lambda's limit for the payload of one call. */
export const LARGEST_PAYLOAD_BYTES = 6 * 1024 * 1024;

/**
 * The whole body; undefined if it is too large. The rest is then read and discarded, so that the client receives the
 * reply.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_PAYLOAD_BYTES) {
      request.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
