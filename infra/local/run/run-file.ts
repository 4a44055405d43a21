import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from '#infra/local/demo/demo.ts';
import { readSecretFile, writeSecretFile } from '#infra/local/run/secret-file.ts';

/** The description of a local run, by which other programs find it. */
export interface Run {
  readonly base_url: string;
  readonly dynamodb_endpoint: string;
  readonly table_name: string;
  readonly demo: Demo | null;
}

const runFile = join('.local', 'run.json');

/** Removes the file when a run starts, so that no program uses the file of an earlier run. */
export const removeRunFile = (): Promise<void> => rm(runFile, { force: true });

/** The run that was last started in this folder; undefined if none. */
export const readRunFile = (): Promise<Run | undefined> => readSecretFile(runFile);

export const writeRunFile = (run: Run): Promise<void> => writeSecretFile(runFile, run);
