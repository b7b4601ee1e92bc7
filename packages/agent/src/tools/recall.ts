import type { Session } from '@palimpsest/core';
import { recallTool as newRecallTool } from '@palimpsest/sdk/recall-tool';
import { labelsOf } from './labels.ts';
import type { Tool } from './tool.ts';

/** The recall tool of the SDKs, with hits named as the screen names them. */
export function recallTool(session: () => Pick<Session, 'recall' | 'transcript'>, pageChars: number): Tool {
  const { name, description, schema, answer } = newRecallTool(session, {
    pageChars,
    label: (message) => labelsOf(session().transcript())(message),
  });
  return { name, description, parameters: schema, run: async (input) => answer(input) };
}
