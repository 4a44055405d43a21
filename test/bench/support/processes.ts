import { readFile } from 'node:fs/promises';
import { enginePidOf } from '#test/live/engine-of.ts';
import type { Service } from '#test/live/service.ts';

/** Linux counts a process's time on a processor in hundredths of a second. */
const MS_PER_TICK = 10;

/** Milliseconds that a process has had of a processor. */
async function cpuMsOf(pid: number): Promise<number> {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may hold anything, the state comes first; of the fields from there these are user and system.
  const fields = told.slice(told.lastIndexOf(')') + 2).split(' ');
  return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
}

export interface CpuMs {
  readonly server: number;
  readonly engine: number;
}

/** What a service and its engine have spent so far. */
export async function cpuMeterOf({ pid }: Service): Promise<() => Promise<CpuMs>> {
  const enginePid = await enginePidOf(pid);
  return async () => ({ server: await cpuMsOf(pid), engine: await cpuMsOf(enginePid) });
}
