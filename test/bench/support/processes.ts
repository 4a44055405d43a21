import { readFile } from 'node:fs/promises';
import { enginePidOf } from '#test/live/engine-of.ts';
import type { Service } from '#test/live/service.ts';

/** Linux counts a process's CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/** The CPU milliseconds of a process. */
async function cpuMsOf(pid: number): Promise<number> {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name may contain anything; after it come the state and other fields, among them the user and system time.
  const fields = told.slice(told.lastIndexOf(')') + 2).split(' ');
  return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
}

export interface CpuMs {
  readonly server: number;
  readonly engine: number;
}

/** The CPU time of a service and its engine so far. */
export async function cpuMeterOf({ pid }: Pick<Service, 'pid'>): Promise<() => Promise<CpuMs>> {
  const enginePid = await enginePidOf(pid);
  return async () => ({ server: await cpuMsOf(pid), engine: await cpuMsOf(enginePid) });
}
