import { argv, exit } from 'node:process';

/** The command line of a script that runs others. */
export interface Chosen {
  readonly parts: readonly string[];
  /** For the parts, as they were given. */
  readonly options: readonly string[];
}

/**
 * The parts that the command line names, or all of them. Ends the process where it names one that does not exist.
 * @param option the one that the parts understand
 */
export function chosenParts(script: string, parts: readonly string[], option: string): Chosen {
  const words = argv.slice(2);
  const options = words.filter((word) => word.startsWith('--'));
  const named = words.filter((word) => !word.startsWith('--'));
  const unknown = [...named.filter((name) => !parts.includes(name)), ...options.filter((given) => given !== option)];
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. Usage: npm run ${script} -- [${option}] [${parts.join('] [')}]`);
    exit(1);
  }
  return { parts: named.length > 0 ? named : parts, options };
}
