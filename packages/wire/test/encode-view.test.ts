import { type Message, type Part, partText } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anthropicMessages,
  gemini,
  openaiChat,
  openaiChatAlternating,
  openaiResponses,
  type Wire,
} from '../src/index.ts';
import { foldings, foldView, histories } from './histories.ts';

interface Case {
  readonly label: string;
  readonly wire: Wire<never>;
  readonly template: object;
  readonly list: string;
}

const asCase = <B extends object>(label: string, wire: Wire<B>, template: object, list: string): Case => ({
  label,
  wire: wire as unknown as Wire<never>,
  template,
  list,
});

const cases: readonly Case[] = [
  asCase('anthropic', anthropicMessages, { model: 'claude-haiku-4-5', max_tokens: 100, messages: [] }, 'messages'),
  asCase('chat', openaiChat, { model: 'gpt-5.6', messages: [{ role: 'system', content: 's' }] }, 'messages'),
  asCase(
    'chat, alternating',
    openaiChatAlternating,
    { model: 'm', messages: [{ role: 'system', content: 's' }] },
    'messages',
  ),
  asCase('responses', openaiResponses, { model: 'gpt-5.6', input: [] }, 'input'),
  asCase('gemini', gemini, { contents: [] }, 'contents'),
];

const listOf = (body: object, key: string): readonly unknown[] => (body as Record<string, readonly unknown[]>)[key]!;

/** What a conversation says, whatever form it has. A wire without a flag for errors writes it into the text. */
function meaning(messages: readonly Message[]): { readonly rounds: unknown; readonly words: readonly string[] } {
  const parts = messages.flatMap((message) => message.parts);
  const words = (part: Part): string => {
    const lines = partText(part)
      .replaceAll(/\[(image|document|audio|video).*?\]|^Error:|^The tool failed and said nothing\.$/g, '')
      .split('\n');
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n');
  };
  const open = new Map<string, { tool: string; input: unknown; result: string }>();
  const rounds = parts.flatMap((part) => {
    if (part.type === 'call') {
      const made = {
        tool: part.tool,
        input: typeof part.input === 'string' ? { input: part.input } : part.input,
        result: '',
      };
      open.set(part.callId, made);
      return [made];
    }
    if (part.type === 'result')
      open.get(part.callId)!.result = words({ ...part, content: part.content.filter((one) => one.type === 'text') });
    return [];
  });
  const said = messages.flatMap((message) => message.parts.filter((part) => part.type === 'text').map(words));
  return { rounds, words: said.filter((one) => one !== '').flatMap((one) => one.split('\n')) };
}

describe.each(cases)('$label', ({ wire, template, list, label }) => {
  const encode = (view: readonly Message[], body: object): object => wire.encode(view, body as never).body;
  const complaints = (body: object): unknown => wire.validate(body as never);

  it('a well-formed history encodes to a body that the provider takes', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(complaints(encode(history, template))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('a folded view encodes to a body that the provider takes', () => {
    fc.assert(
      fc.property(histories, foldings, (history, folding) => {
        expect(complaints(encode(foldView(history, folding), template))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('so does a folding of what was read from a body, over that body', () => {
    fc.assert(
      fc.property(histories, foldings, (history, folding) => {
        const body = encode(history, template);
        const view = foldView(wire.decode(body as never).messages, folding);
        expect(complaints(encode(view, body))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('what a view shares with the body at its head is sent as the caller sent it', () => {
    fc.assert(
      fc.property(histories, foldings, (history, folding) => {
        const body = encode(history, template);
        const { messages } = wire.decode(body as never);
        const view = foldView(messages, folding);
        let shared = 0;
        while (shared < view.length && view[shared] === messages[shared]) shared++;
        const sent = listOf(encode(view, body), list);
        const given = listOf(encode(messages.slice(0, shared), body), list);
        // Where roles must alternate, the last shared message may grow at its end.
        const kept = label.includes('alternating') || label === 'gemini' ? Math.max(0, given.length - 1) : given.length;
        expect(JSON.stringify(sent.slice(0, kept))).toBe(JSON.stringify(listOf(body, list).slice(0, kept)));
      }),
      { numRuns: 150 },
    );
  });

  it('every call keeps its own result, and nothing that was said is lost', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const told = meaning(history);
        const heard = meaning(wire.decode(encode(history, template) as never).messages);
        expect(heard.rounds).toEqual(told.rounds);
        for (const words of told.words) expect(heard.words).toContain(words);
      }),
      { numRuns: 150 },
    );
  });

  it('the same view encodes to the same bytes, and a longer one begins with them up to its last message', () => {
    fc.assert(
      fc.property(histories, foldings, (history, folding) => {
        const view = foldView(history, folding);
        const once = JSON.stringify(encode(view, template));
        expect(JSON.stringify(encode(structuredClone(view), structuredClone(template)))).toBe(once);
        const next: Message = {
          id: 'next',
          role: 'assistant',
          origin: 'model',
          parts: [{ type: 'text', text: 'yes' }],
        };
        const shorter = listOf(encode(view, template), list);
        const longer = listOf(encode([...view, next], template), list);
        expect(longer.slice(0, shorter.length)).toEqual(shorter);
      }),
      { numRuns: 60 },
    );
  });

  it('inputs are left as they were', () => {
    fc.assert(
      fc.property(histories, foldings, (history, folding) => {
        const body = encode(history, template);
        const before = JSON.stringify([history, body]);
        const { messages } = wire.decode(body as never);
        encode(foldView(messages, folding), body);
        expect(JSON.stringify([history, body])).toBe(before);
      }),
      { numRuns: 60 },
    );
  });
});
