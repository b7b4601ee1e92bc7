import { CompactionError, type Session } from '@palimpsest/core';

/** A tool by which the model reads what was hidden from it; each SDK takes it in its own wrapping. */
export interface RecallTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly schema: {
    type: 'object';
    properties: Record<'ref' | 'query', { type: 'string'; description: string }>;
    required: string[];
  };
  readonly run: (input: { readonly ref?: string | undefined; readonly query?: string | undefined }) => string;
}

/** Pass the session, or what finds it: `onSession` brings it with the first request. */
export function recallTool(session: Session | (() => Session | undefined)): RecallTool {
  return {
    name: 'recall',
    description:
      'Reads earlier parts of this conversation that are hidden to save space. Notices name them as "recall e12". ' +
      'Give such a reference, or words to search for.',
    schema: {
      type: 'object',
      properties: {
        ref: { type: 'string', description: 'A reference from a notice, such as e12.' },
        query: { type: 'string', description: 'Words that the wanted part holds, all of them.' },
      },
      required: [],
    },
    run({ ref, query }) {
      const found = typeof session === 'function' ? session() : session;
      if (found === undefined) return 'Nothing has been said yet.';
      try {
        if (ref !== undefined && ref !== '') return found.recall.read(ref.replace(/^recall\s+/, '')).text;
        const hits = found.recall.search(query ?? '');
        return hits.length === 0
          ? 'Nothing was found.'
          : hits.map(({ message, line }) => `${message.id}: ${line}`).join('\n');
      } catch (error) {
        if (error instanceof CompactionError) return error.message;
        throw error;
      }
    },
  };
}
