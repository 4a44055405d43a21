import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#lib/service/ground/effects/container.ts';
import { type Deps, requestDeps } from '#lib/service/ground/effects/deps.ts';
import { open, seal } from '#lib/service/ground/effects/vault.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openSilentServer } from '#test/support/servers/silent-server.ts';

const THREE = { programId: 3 };

const required = {
  TABLE_NAME: 'service',
  BASE_URL: 'https://track.test',
  DASHBOARD_URL: 'https://track.test',
  DOCS_URL: 'https://track.test/docs/errors',
};
/** A new container without decrypted secrets. */
const depsWith = (more: Record<string, string>) =>
  requestDeps(NOW, 'test', {}, createContainer({ ...required, ...more }));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function keyFile(name: string, fill: number) {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify({ key: Buffer.alloc(32, fill).toString('base64') }));
  return depsWith({ VAULT_KEY_FILE: file });
}

describe('a text that is encrypted with the key in a local file', () => {
  it('can be decrypted by another process with the same file', async () => {
    const deps = await keyFile('one.json', 1);
    const sealed = await seal(deps, 'whsec_brand', THREE);
    expect(await open(deps, sealed, THREE)).toBe('whsec_brand');
    expect(await open(await keyFile('one.json', 1), sealed, THREE)).toBe('whsec_brand');
  });

  it('is different each time and never contains the text itself', async () => {
    const deps = await keyFile('one.json', 1);
    const all = await Promise.all([1, 2, 3].map(() => seal(deps, 'whsec_brand', THREE)));
    expect(new Set(all).size).toBe(3);
    for (const sealed of all) expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('whsec');
  });

  it('can be decrypted only with the program id with which it was encrypted', async () => {
    const deps = await keyFile('one.json', 1);
    const sealed = await seal(deps, 'whsec_brand', THREE);
    await open(deps, sealed, THREE);
    await expect(open(deps, sealed, { programId: 4 })).rejects.toThrow(/authenticate/);
  });

  it('cannot be decrypted if encrypted with another key', async () => {
    const sealed = await seal(await keyFile('one.json', 1), 'whsec_brand', THREE);
    await expect(open(await keyFile('two.json', 2), sealed, THREE)).rejects.toThrow(/authenticate/);
  });

  it('cannot be decrypted if a byte was changed or removed', async () => {
    const deps = await keyFile('one.json', 1);
    const bytes = Buffer.from(await seal(deps, 'whsec_brand', THREE), 'base64');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const cutOff = bytes.subarray(0, at);
      await expect(open(deps, changed.toString('base64'), THREE)).rejects.toThrow(/authenticate/);
      await expect(open(deps, cutOff.toString('base64'), THREE)).rejects.toThrow(/authenticat|Invalid/);
    }
  });

  it('can be neither created nor read while the file is missing', async () => {
    const deps = depsWith({ VAULT_KEY_FILE: join(folder, 'missing.json') });
    await expect(seal(deps, 'whsec_brand', THREE)).rejects.toThrow(/ENOENT/);
    await expect(open(deps, 'x', THREE)).rejects.toThrow(/ENOENT/);
  });
});

describe('a text that is encrypted with a KMS key', () => {
  const kms = mockClient(KMSClient);
  let deps: Deps;
  beforeEach(() => {
    deps = depsWith({ VAULT_KEY_ID: 'arn:key', VAULT_KEY_FILE: '/not/read' });
    kms.reset();
    kms.on(EncryptCommand).resolves({ CiphertextBlob: Buffer.from('sealed') });
    kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from('whsec_brand') });
  });
  afterAll(() => kms.restore());

  it('is bound to its program by the encryption context', async () => {
    const sealed = await seal(deps, 'whsec_brand', THREE);
    expect(sealed).toBe(Buffer.from('sealed').toString('base64'));
    expect(await open(deps, sealed, THREE)).toBe('whsec_brand');
    const bound = { KeyId: 'arn:key', EncryptionContext: { program_id: '3' } };
    expect(kms.calls().map(({ args }) => args[0].input)).toEqual([
      { ...bound, Plaintext: Buffer.from('whsec_brand') },
      { ...bound, CiphertextBlob: Buffer.from('sealed') },
    ]);
  });

  it('is decrypted by KMS once per program and then cached', async () => {
    for (const programId of [3, 3, 4, 3, 4]) await open(deps, 'c2VhbGVk', { programId });
    expect(kms.commandCalls(DecryptCommand)).toHaveLength(2);
  });

  it('is decrypted by KMS again after an error, because errors are not cached', async () => {
    kms
      .on(DecryptCommand)
      .rejectsOnce(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }))
      .resolves({ Plaintext: Buffer.from('whsec_brand') });
    await expect(open(deps, 'c2VhbGVk', THREE)).rejects.toThrow('slow down');
    expect(await open(deps, 'c2VhbGVk', THREE)).toBe('whsec_brand');
  });

  it('is cached together with at most 999 others', async () => {
    for (let programId = 1; programId <= 1_001; programId++) await open(deps, 'c2VhbGVk', { programId });
    expect(kms.commandCalls(DecryptCommand)).toHaveLength(1_001);
    await open(deps, 'c2VhbGVk', { programId: 1_001 });
    expect(kms.commandCalls(DecryptCommand)).toHaveLength(1_001);
    await open(deps, 'c2VhbGVk', { programId: 1 });
    expect(kms.commandCalls(DecryptCommand)).toHaveLength(1_002);
  });
});

it('the error about a missing key for the vault names the variables of which one must be set', async () => {
  await expect(async () => seal(depsWith({}), 'whsec_brand', THREE)).rejects.toThrow(
    'Configuration: VAULT_KEY_ID or VAULT_KEY_FILE must be set',
  );
});

it('the file of the vault’s key contains only the key', async () => {
  await keyFile('three.json', 3);
  expect(Object.keys(JSON.parse(await readFile(join(folder, 'three.json'), 'utf8')))).toEqual(['key']);
});

describe('a call to KMS that is never answered', () => {
  it('fails at the deadline of the request', async () => {
    const silent = await openSilentServer();
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_KMS: silent.url,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
    const deps = { ...depsWith({ VAULT_KEY_ID: 'arn:key' }), deadline: AbortSignal.timeout(200) };
    await expect(seal(deps, 'whsec_brand', THREE)).rejects.toThrow('aborted');
    await expect(open(deps, 'c2VhbGVk', THREE)).rejects.toThrow('aborted');
    await silent.close();
  });
});
