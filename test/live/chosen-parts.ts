import { argv, exit } from 'node:process';

/** The command line of a script that runs several parts, each of which is another script. */
export interface Chosen {
  readonly parts: readonly string[];
  /** Options that are passed to the parts unchanged. */
  readonly options: readonly string[];
}

/**
 * Returns the parts that the command line names or, if it names none, all of them. Ends the process for an unknown
 * part.
 * @param option an option that the parts accept
 * @param setting an option of the parts that is followed by a value
 */
export function chosenParts(script: string, parts: readonly string[], option: string, setting?: string): Chosen {
  const words = argv.slice(2);
  const set = setting !== undefined && words.includes(setting) ? words.splice(words.indexOf(setting), 2) : [];
  const options = words.filter((word) => word.startsWith('--'));
  const named = words.filter((word) => !word.startsWith('--'));
  const unknown = [...named.filter((name) => !parts.includes(name)), ...options.filter((given) => given !== option)];
  if (unknown.length > 0) {
    console.error(
      `Unknown: ${unknown.join(', ')}. Usage: npm run ${script} -- [${option}]${setting ? ` [${setting}]` : ''} [${parts.join('] [')}]`,
    );
    exit(1);
  }
  return { parts: named.length > 0 ? named : parts, options: [...options, ...set] };
}
