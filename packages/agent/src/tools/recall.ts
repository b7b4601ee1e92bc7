import type { Session } from '@palimpsest/core';
import { recallTool as newRecallTool } from '@palimpsest/sdk/recall-tool';
import { markHalves } from '@palimpsest/terminal';
import { labelsOf } from './labels.ts';
import type { Tool } from './tool.ts';

/** The recall tool of the SDKs, with hits named as the screen names them. */
export function recallTool(session: () => Pick<Session, 'recall' | 'transcript'>, pageChars: number): Tool {
  const { name, description, schema, answer } = newRecallTool(session, {
    pageChars,
    label: (message) => labelsOf(session().transcript())(message),
  });
  return {
    name,
    description,
    parameters: schema,
    // A page may end in the middle of a pair.
    async run(input) {
      const told = answer(input);
      return { ...told, text: markHalves(told.text) };
    },
  };
}
