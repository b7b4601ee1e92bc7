import type { SessionRecord } from '@palimpsest/formats';

const USUAL_WINDOW = 200_000;

/** The model's context window: what the recording's provider reported last, or what is usual. */
export const readWindow = ({ usage }: SessionRecord): number =>
  usage.findLast((one) => one.window !== undefined)?.window ?? USUAL_WINDOW;
