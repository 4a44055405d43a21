import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from '#infra/local/demo/demo.ts';
import { readSecretFile, writeSecretFile } from '#infra/local/run/secret-file.ts';

/** Describes a local run, so that other programs can find it. */
export interface Run {
  readonly base_url: string;
  readonly dynamodb_endpoint: string;
  readonly table_name: string;
  readonly demo: Demo | null;
}

const runFile = join('.local', 'run.json');

/** Removes the file while a run starts, because the file of an earlier run must not be used. */
export const removeRunFile = (): Promise<void> => rm(runFile, { force: true });

/** The run that was last started in this folder; undefined if none. */
export const readRunFile = (): Promise<Run | undefined> => readSecretFile(runFile);

export const writeRunFile = (run: Run): Promise<void> => writeSecretFile(runFile, run);
