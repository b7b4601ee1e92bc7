import type { Session } from '@palimpsest/core';
import { anthropicMessages } from '@palimpsest/wire';
import { createConversations } from '../src/conversations/conversations.ts';
import type { KeepOptions, KeptEvent } from '../src/conversations/keep-options.ts';

export interface Body {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/** The history of an agent after so many rounds; `name` makes it a conversation of its own. */
export function history(rounds: number, name = 'a'): Body['messages'] {
  const messages: { role: string; content: unknown }[] = [{ role: 'user', content: `Task ${name}: read every file.` }];
  for (let n = 1; n <= rounds; n++)
    messages.push(
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `c${n}`, name: 'read', input: { path: `${name}/${n}` } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: `${name} line of file ${n}\n`.repeat(60) }],
      },
    );
  return messages;
}

export const body = (messages: Body['messages'], model = 'claude-sonnet-5'): Body => ({
  model,
  system: 'Work.',
  messages,
});

export function conversations(options: Partial<KeepOptions> = {}) {
  const sessions: Session[] = [];
  const events: KeptEvent[] = [];
  const all = createConversations({
    window: 8_000,
    onSession: (session) => sessions.push(session),
    on: (event) => events.push(event),
    ...options,
  });
  const keep = async (given: Body, more: { readonly maxOutput?: number; readonly signal?: AbortSignal } = {}) =>
    (await all.keep({ format: anthropicMessages, body: given, model: given.model, ...more }))!;
  return { all, keep, sessions, events };
}

/** A string is short for one text block; breakpoints belong to the request. */
export const plain = (messages: Body['messages']): Body['messages'] =>
  messages.map(({ role, content }) => ({
    role,
    content: (typeof content === 'string' ? [{ type: 'text', text: content }] : (content as object[])).map((block) => {
      const { cache_control: _, ...rest } = block as Record<string, unknown>;
      return rest;
    }),
  }));
