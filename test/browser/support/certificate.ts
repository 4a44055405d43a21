import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A new self-signed certificate for https, made by the machine's openssl. Clients accept it only if they
 * ignore such errors or are set to trust it.
 */
export async function selfSigned(name: string, days = 1): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', String(days)];
  try {
    await run('openssl', [
      'req',
      ...kind,
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=DNS:${name}`,
      '-keyout',
      keyFile,
      '-out',
      certFile,
    ]);
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
    return { key, cert };
  } finally {
    await rm(folder, { recursive: true });
  }
}
