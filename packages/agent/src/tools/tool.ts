import type { Json } from '@palimpsest/core';
import { z } from 'zod';
import type { ToolDefinition } from '../models/model.ts';
import type { CompactAsk } from './compact-ask.ts';

/** What the model is told. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError?: boolean;
  /** The compact tool: once all calls of the message are answered, the conversation is compacted and the turn ends. */
  readonly compaction?: CompactAsk;
}

/** What a run is given besides the input. */
export interface ToolRun {
  readonly signal: AbortSignal;
  /** Hears what the tool puts out before it has ended, in whole lines. */
  readonly onOutput?: (text: string) => void;
}

/** What the model may call; `run` checks the input itself. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
  /** Answers always; only an abort is thrown. */
  run(input: Json, options: ToolRun): Promise<ToolAnswer>;
}

interface Made<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  run(input: z.infer<Schema>, options: ToolRun): Promise<ToolAnswer> | ToolAnswer;
}

/** A tool whose input is checked before it runs; what is wrong with it, or goes wrong in it, is told to the model. */
export function tool<Schema extends z.ZodType>({ name, description, input: schema, run }: Made<Schema>): Tool {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema) as Record<string, Json>;
  return {
    name,
    description,
    parameters,
    async run(input, options) {
      const read = schema.safeParse(input);
      if (!read.success) return failure(`The input of ${name} is not right: ${z.prettifyError(read.error)}`);
      try {
        return await run(read.data, options);
      } catch (error) {
        options.signal.throwIfAborted();
        return failure(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

export const failure = (text: string): ToolAnswer => ({ text, isError: true });

export const definitionOf = ({ name, description, parameters }: Tool): ToolDefinition => ({
  name,
  description,
  parameters,
});
