import type { IncomingMessage } from 'node:http';

/** The maximum size of an event that Lambda accepts. */
export const LARGEST_PAYLOAD_BYTES = 6 * 1024 * 1024;

/**
 * Reads the whole body. If it is too large, the rest is discarded and the result is undefined. The rest is still read,
 * because otherwise the client would not receive the reply.
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
