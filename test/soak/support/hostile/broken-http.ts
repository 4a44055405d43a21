import { once } from 'node:events';
import { connect } from 'node:net';
import type { Chance } from '#infra/local/demo/chance.ts';

const CLICK = '/api/v1/track/click';
const crlf = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;

/** Bytes that are invalid or barely valid HTTP. @param filler different each time */
const makers: readonly ((filler: string) => string)[] = [
  (filler) => filler,
  () => '\r\n\r\n\r\n',
  (filler) => crlf([`BREW ${CLICK} HTTP/1.1`, 'Host: x', `X: ${filler}`]),
  () => crlf([`POST ${CLICK} HTTP/9.9`, 'Host: x']),
  () => crlf([`POST ${CLICK}`]),
  () => crlf([`POST ${CLICK} HTTP/1.1`]),
  (filler) => crlf([`GET /${filler} HTTP/1.1`, 'Host: x']),
  () => crlf([`GET /\u0000 HTTP/1.1`, 'Host: x']),
  () => crlf([`GET /%00%0d%0a HTTP/1.1`, 'Host: x', 'Connection: close']),
  () => crlf([`GET http://127.0.0.1:1/api/v1/cli/programs HTTP/1.1`, 'Host: x', 'Connection: close']),
  () => crlf([`OPTIONS * HTTP/1.1`, 'Host: x', 'Connection: close']),
  () => crlf([`GET /${'a/'.repeat(7_000)} HTTP/1.1`, 'Host: x', 'Connection: close']),
  () => crlf([`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'Host: x']),
  () => crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Content-Length: -1']),
  () => crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Content-Length: 2, 3']),
  () => `${crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Content-Length: 2', 'Content-Length: 3'])}{}}`,
  () => `${crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked'])}0\r\n\r\n`,
  () => `${crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked'])}zz\r\n{}\r\n0\r\n\r\n`,
  () => `${crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: gzip, chunked'])}0\r\n\r\n`,
  () =>
    `${crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked'])}2;${'x'.repeat(9_000)}\r\n{}\r\n0\r\n\r\n`,
  () => `${crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Content-Length: 1000'])}{"half":`,
  () => crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'Expect: the-impossible', 'Content-Length: 0', 'Connection: close']),
  () => crlf([`GET ${CLICK} HTTP/1.1`, 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade, close']),
  () => crlf([`CONNECT evil.test:443 HTTP/1.1`, 'Host: x']),
  (filler) => crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', `Bad Name: ${filler}`]),
  () => crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', 'X: a\u0000b']),
  () => crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', ' folded: x', '\tand: y']),
  () =>
    crlf([
      `POST ${CLICK} HTTP/1.1`,
      'Host: x',
      ...Array.from({ length: 3_000 }, (_, n) => `X${n}: y`),
      'Connection: close',
    ]),
  () => crlf([`POST ${CLICK} HTTP/1.1`, 'Host: x', `Cookie: ${'a=b; '.repeat(5_000)}`]),
  () => crlf([`GET ${CLICK} HTTP/1.1`, 'Host: x']).repeat(40) + crlf([`GET / HTTP/1.0`]),
  () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
];

/** After this time the connection is closed if the server waits for more bytes. */
const TIMEOUT_MS = 200;

/** Sends invalid bytes on a separate connection and closes its half. @returns the whole response */
export async function sendBroken(url: string, chance: Chance): Promise<string> {
  const { hostname, port } = new URL(url);
  const filler = Buffer.from(Array.from({ length: chance.between(1, 64) }, () => chance.between(0, 255))).toString(
    'latin1',
  );
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => (received += text));
  socket.on('error', () => socket.destroy());
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  socket.end(chance.oneOf(makers)(filler), 'latin1');
  socket.on('end', () => socket.destroy());
  await once(socket, 'close');
  return received;
}
