/** Where nobody else's gateway listens by default. */
export const GATEWAY_PORT = 7473;
