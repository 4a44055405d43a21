/** The smallest function. What it costs is the minimum. */
export const handler = async () => ({ statusCode: 204 });
