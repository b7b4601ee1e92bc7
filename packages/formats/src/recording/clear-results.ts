import { type Message, type ResultPart, text } from '@palimpsest/core';

/** What a blanked result shows. The agents' own wording is not in their recordings. */
export const CLEARED = '[old result cleared]';

const blankResult = (part: ResultPart): ResultPart => ({ ...part, content: [text(CLEARED)] });

/** The view with the results of these calls blanked; messages without them stay the very objects. */
export function clearResults(view: readonly Message[], callIds: ReadonlySet<string>): readonly Message[] {
  return view.map((message) =>
    message.parts.some((part) => part.type === 'result' && callIds.has(part.callId))
      ? {
          ...message,
          parts: message.parts.map((part) =>
            part.type === 'result' && callIds.has(part.callId) ? blankResult(part) : part,
          ),
        }
      : message,
  );
}
