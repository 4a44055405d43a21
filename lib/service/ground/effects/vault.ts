import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { SecretContext } from '#lib/service/ground/config/secret-context.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { timeouts } from '#lib/service/ground/effects/timeouts.ts';

/** Encrypts secrets of brands and partners before they are stored: with a KMS key, in a local run with a key file. */
interface Vault {
  readonly seal: (secret: string, owner: SecretOwner, deadline?: AbortSignal) => Promise<string>;
  readonly open: (sealed: string, owner: SecretOwner, deadline?: AbortSignal) => Promise<string>;
}

/**
 * The owner of a secret: a program (signing secrets), an account (payout and billing details) or a workspace (the
 * account that it pays from). Decryption fails for any other owner.
 */
export type SecretOwner =
  | { readonly programId: number }
  | { readonly accountId: number }
  | { readonly workspaceId: number };

/**
 * How many decrypted secrets a container caches. Every webhook needs its signing secret. Decrypted details of accounts
 * and workspaces are read rarely and are not cached.
 */
const MOST_OPENED = 1_000;

type VaultDeps = Pick<Deps, 'once' | 'deadline'>;

/** Encrypts a secret. @returns the encrypted secret, which can be decrypted for this owner only */
export const seal = ({ once, deadline }: VaultDeps, secret: string, owner: SecretOwner): Promise<string> =>
  once(chosenVault).seal(secret, owner, deadline);

export async function open({ once, deadline }: VaultDeps, sealed: string, owner: SecretOwner): Promise<string> {
  if (!('programId' in owner)) return once(chosenVault).open(sealed, owner, deadline);
  const opened = once(openedSecrets);
  const name = `${owner.programId} ${sealed}`;
  const secret = opened.get(name) ?? (await once(chosenVault).open(sealed, owner, deadline));
  if (opened.size >= MOST_OPENED) opened.clear();
  opened.set(name, secret);
  return secret;
}

const openedSecrets = (): Map<string, string> => new Map();

function chosenVault({ vault: { keyId, keyFile }, region }: Config): Vault {
  if (keyId) return kmsVault(keyId, region);
  if (keyFile) return fileVault(keyFile);
  throw new Error('Configuration: VAULT_KEY_ID or VAULT_KEY_FILE must be set');
}

function contextOf(owner: SecretOwner): SecretContext & Record<string, string> {
  if ('accountId' in owner) return { account_id: String(owner.accountId) };
  if ('workspaceId' in owner) return { workspace_id: String(owner.workspaceId) };
  return { program_id: String(owner.programId) };
}

function kmsVault(KeyId: string, region: string): Vault {
  const client = new KMSClient({ region, maxAttempts: 3, requestHandler: timeouts });
  // The encryption context that ties a ciphertext to its owner.
  const bound = (owner: SecretOwner) => ({ KeyId, EncryptionContext: contextOf(owner) });
  return {
    async seal(secret, owner, abortSignal) {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({ ...bound(owner), Plaintext: Buffer.from(secret) }),
        { abortSignal },
      );
      return Buffer.from(CiphertextBlob!).toString('base64');
    },
    async open(sealed, owner, abortSignal) {
      const { Plaintext } = await client.send(
        new DecryptCommand({ ...bound(owner), CiphertextBlob: Buffer.from(sealed, 'base64') }),
        { abortSignal },
      );
      return Buffer.from(Plaintext!).toString();
    },
  };
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The tag length is fixed. Otherwise shorter tags, which are easier to forge, would be accepted. */
const tagLength = { authTagLength: TAG_BYTES };

function boundTo(owner: SecretOwner): Buffer {
  if ('accountId' in owner) return Buffer.from(`account ${owner.accountId}`);
  return Buffer.from('workspaceId' in owner ? `workspace ${owner.workspaceId}` : String(owner.programId));
}

function fileVault(keyFile: string): Vault {
  const key = readFile(keyFile, 'utf8').then((text) => Buffer.from(JSON.parse(text).key, 'base64'));
  key.catch(() => undefined);
  return {
    async seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, await key, nonce, tagLength).setAAD(boundTo(owner));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    async open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64');
      const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
      const decipher = createDecipheriv(CIPHER, await key, nonce, tagLength).setAAD(boundTo(owner));
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
    },
  };
}
