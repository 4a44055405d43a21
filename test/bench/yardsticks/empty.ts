/** The minimum: the cost of an empty function. */
export const handler = async () => ({ statusCode: 204 });
