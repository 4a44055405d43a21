import { readFile } from 'node:fs/promises';
import { enginePidOf } from '#test/live/engine-of.ts';
import type { Service } from '#test/live/service.ts';

/** The unit in which Linux counts a process's CPU time: a hundredth of a second. */
const MS_PER_TICK = 10;

/** Returns how many milliseconds of CPU time a process has used. */
async function cpuMsOf(pid: number): Promise<number> {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The process's name is in parentheses and may contain anything. The state and other fields follow, among them the
  // user and the system time.
  const fields = told.slice(told.lastIndexOf(')') + 2).split(' ');
  return MS_PER_TICK * (Number(fields[11]) + Number(fields[12]));
}

export interface CpuMs {
  readonly server: number;
  readonly engine: number;
}

/** Returns a function that reads how much CPU time a service and its engine have used so far. */
export async function cpuMeterOf({ pid }: Pick<Service, 'pid'>): Promise<() => Promise<CpuMs>> {
  const enginePid = await enginePidOf(pid);
  return async () => ({ server: await cpuMsOf(pid), engine: await cpuMsOf(enginePid) });
}
