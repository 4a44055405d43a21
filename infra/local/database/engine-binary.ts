import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(import.meta.url);

/** The folder into which `bin/install.js` downloads the engine for a platform that package-lock.json does not cover. */
const OTHER_PLATFORMS = resolve(import.meta.dirname, '../../../.local/engine');

/**
 * Path of the executable of the embedded DynamoDB engine, from the npm package for this platform.
 * @throws Error that names the alternatives, if there is no engine for this platform
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
