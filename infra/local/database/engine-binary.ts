import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(import.meta.url);

/** The folder in which `bin/install.js` puts the engine for a platform that the lock file does not include. */
const OTHER_PLATFORMS = resolve(import.meta.dirname, '../../../.local/engine');

/**
 * Path of the embedded engine's executable, from the package for this platform.
 * @throws Error that names the alternatives if there is none
 */
export function engineBinary(platform: string = process.platform, architecture: string = process.arch): string {
  const target = `${platform}-${architecture}`;
  try {
    return require.resolve(`@dynoxide/${target}/dynoxide`, { paths: [import.meta.dirname, OTHER_PLATFORMS] });
  } catch (cause) {
    throw new Error(
      `The embedded DynamoDB engine is not installed for ${target}. ` +
        'Set DYNAMODB_ENDPOINT to a running DynamoDB Local (http://127.0.0.1:8000), or to AWS (https://dynamodb.<region>.amazonaws.com).',
      { cause },
    );
  }
}
