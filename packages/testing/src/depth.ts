/** True under `npm run test:deep`: the same rules over far more cases. */
export const isDeep = process.env.DEEP === '1';

/** A figure of a test, such as its runs, kills or longest history: the second one under `npm run test:deep`. */
export const fastOrDeep = (fast: number, deep: number): number => (isDeep ? deep : fast);
