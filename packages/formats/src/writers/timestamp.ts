/** The farthest a Date reaches, in milliseconds from 1970. */
const MAX_TIME = 8.64e15;

export const isTime = (at: number | undefined): at is number => at !== undefined && Math.abs(at) <= MAX_TIME;

/** Every line of the agents' files has a time; one that is not known is the one before it. */
export const isoTime = (at: number | undefined, before: number): string =>
  new Date(isTime(at) ? at : before).toISOString();
