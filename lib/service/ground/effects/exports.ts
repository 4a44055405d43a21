import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { ExportFiles } from '#lib/service/ground/values/export-files.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';

/** Storage for files that are too large for a reply: an S3 bucket, or a folder in a local run. */
export const exportFiles = ({ once }: Pick<Deps, 'once'>): ExportFiles => once(chosenFiles);

function chosenFiles({ exports: { bucket, folder }, region }: Config): ExportFiles {
  if (bucket) return bucketFiles(bucket, region);
  return folderFiles(folder);
}

/**
 * The path under which a finished file can be downloaded. It is on the same origin as the request, so that web pages
 * may follow a redirect to it.
 */
export const exportAddress = ({ config }: Pick<Deps, 'config'>, name: string): string =>
  `${config.exports.bucket ? '' : '/local'}/exports/${name}`;

const typeOf = (savedAs: string): string =>
  savedAs.endsWith('.json') ? 'application/json' : 'text/csv; charset=utf-8';

/** Storage in an S3 bucket. CloudFront serves files below `exports/`; what the next request needs is below `work/`. */
function bucketFiles(Bucket: string, region: string): ExportFiles {
  // The SDK's additional checksum is turned off: requests are already signed with a hash of their body, and a checksum
  // would have to be declared when the upload starts.
  const checksums = {
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  const client = new S3Client({ region, maxAttempts: 3, ...checksums });
  const fileKey = (name: string) => ({ Bucket, Key: `exports/${name}` });
  const workKey = (id: string) => ({ Bucket, Key: `work/${id}.json` });
  return {
    async begin(name, savedAs) {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({
          ...fileKey(name),
          ContentType: typeOf(savedAs),
          ContentDisposition: `attachment; filename="${savedAs}"`,
          CacheControl: 'no-store',
        }),
      );
      return { name, uploadId: UploadId!, parts: [] };
    },
    async append({ name, uploadId, parts }, Body) {
      const part = { UploadId: uploadId, PartNumber: parts.length + 1 };
      const { ETag } = await client.send(new UploadPartCommand({ ...fileKey(name), ...part, Body }));
      return { name, uploadId, parts: [...parts, ETag!] };
    },
    async finish({ name, uploadId, parts }) {
      const Parts = parts.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      const whole = { UploadId: uploadId, MultipartUpload: { Parts } };
      await client.send(new CompleteMultipartUploadCommand({ ...fileKey(name), ...whole }));
    },
    async keep(id, state) {
      await client.send(new PutObjectCommand({ ...workKey(id), Body: JSON.stringify(state) }));
    },
    async kept(id) {
      try {
        const { Body } = await client.send(new GetObjectCommand(workKey(id)));
        return JSON.parse(await Body!.transformToString());
      } catch (error) {
        // S3 returns AccessDenied for a missing object if the caller has no permission to list the bucket.
        if (error instanceof Error && ['NoSuchKey', 'AccessDenied'].includes(error.name)) return undefined;
        throw error;
      }
    },
  };
}

function folderFiles(folder: string): ExportFiles {
  const pathOf = (name: string) => join(folder, name);
  return {
    async begin(name, savedAs) {
      await mkdir(folder, { recursive: true });
      await writeFile(pathOf(`${name}.part`), '');
      return { name, uploadId: savedAs, parts: [] };
    },
    async append(upload, text) {
      await appendFile(pathOf(`${upload.name}.part`), text);
      return { ...upload, parts: [...upload.parts, String(upload.parts.length + 1)] };
    },
    finish: ({ name }) => rename(pathOf(`${name}.part`), pathOf(name)),
    async keep(id, state) {
      await mkdir(folder, { recursive: true });
      await writeFile(pathOf(`${id}.json`), JSON.stringify(state));
    },
    kept: (id) => readFile(pathOf(`${id}.json`), 'utf8').then(JSON.parse, () => undefined),
  };
}
