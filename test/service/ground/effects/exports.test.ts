import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createContainer } from '#lib/service/ground/effects/container.ts';
import { exportAddress, exportFiles } from '#lib/service/ground/effects/exports.ts';

const deps = createContainer({
  TABLE_NAME: 'service',
  BASE_URL: 'https://track.test',
  DASHBOARD_URL: 'https://track.test',
  DOCS_URL: 'https://track.test/docs/errors',
  EXPORTS_BUCKET: 'exports-bucket',
});
const Bucket = 'exports-bucket';

const s3 = mockClient(S3Client);
beforeEach(() => s3.reset());
afterAll(() => s3.restore());

const inputs = () => s3.calls().map(({ args: [command] }) => command.input);

it('a finished export is uploaded to the bucket in parts, into the folder that CloudFront serves', async () => {
  s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
  s3.on(UploadPartCommand).resolvesOnce({ ETag: 'a' }).resolvesOnce({ ETag: 'b' });
  s3.on(CompleteMultipartUploadCommand).resolves({});
  const files = exportFiles(deps);
  let upload = await files.begin('17-x.csv', 'commissions-3.csv');
  upload = await files.append(upload, 'first');
  // The state for the next request is serialised as JSON.
  upload = await files.append(JSON.parse(JSON.stringify(upload)), 'second');
  await files.finish(upload);
  const Key = 'exports/17-x.csv';
  const part = { Bucket, Key, UploadId: 'upload' };
  const Parts = [
    { ETag: 'a', PartNumber: 1 },
    { ETag: 'b', PartNumber: 2 },
  ];
  expect(inputs()).toEqual([
    {
      Bucket,
      Key,
      ContentType: 'text/csv; charset=utf-8',
      ContentDisposition: 'attachment; filename="commissions-3.csv"',
      CacheControl: 'no-store',
    },
    { ...part, PartNumber: 1, Body: 'first' },
    { ...part, PartNumber: 2, Body: 'second' },
    { ...part, MultipartUpload: { Parts } },
  ]);
  expect(exportAddress(deps, upload.name)).toBe('/exports/17-x.csv');
});

it('a file of a person’s data is stored as JSON', async () => {
  s3.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
  await exportFiles(deps).begin('17-x.csv', 'customer-1.json');
  expect(inputs().at(-1)).toMatchObject({
    ContentType: 'application/json',
    ContentDisposition: 'attachment; filename="customer-1.json"',
  });
});

it('the state of an unfinished export is stored in the bucket for the next request, even without CloudFront', async () => {
  s3.on(PutObjectCommand).resolves({});
  await exportFiles(deps).keep('id', { programId: 3 });
  expect(inputs()).toEqual([{ Bucket, Key: 'work/id.json', Body: '{"programId":3}' }]);

  const Body = { transformToString: async () => '{"programId":3}' };
  s3.on(GetObjectCommand, { Bucket, Key: 'work/id.json' }).resolves({ Body } as never);
  expect(await exportFiles(deps).kept('id')).toEqual({ programId: 3 });
});

it.each(['NoSuchKey', 'AccessDenied'])(
  'S3’s error %s means that no state of an unfinished export is stored',
  async (name) => {
    s3.on(GetObjectCommand).rejects(Object.assign(new Error(name), { name }));
    expect(await exportFiles(deps).kept('id')).toBeUndefined();
  },
);

it('any other error that S3 returns when an export’s state is read is passed on to the caller', async () => {
  s3.on(GetObjectCommand).rejects(Object.assign(new Error('no'), { name: 'SlowDown' }));
  await expect(exportFiles(deps).kept('id')).rejects.toThrow('no');
});
