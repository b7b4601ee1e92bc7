import { AsyncLocalStorage } from 'node:async_hooks';

const inside = new AsyncLocalStorage<true>();

/** Does what belongs to the making of a view. */
export const runInsideView = <Result>(work: () => Promise<Result>): Promise<Result> => inside.run(true, work);

/** True for what is sent while a view is made: a summary's own request is no turn of any conversation. */
export const isInsideView = (): boolean => inside.getStore() === true;
