import { readFileSync } from 'node:fs';
import { createSession, digest, type Message } from '@palimpsest/core';
import { detectFormat, readSession } from '@palimpsest/formats';
import { sampleSession } from '../../src/sample/sample-session.ts';

/** A digest of the page: what of, and how long. */
interface Shown {
  readonly title: string;
  readonly maxTokens: number;
  readonly messages: readonly Message[];
}

const readSample = (): readonly Message[] => {
  const session = createSession({ window: 1_000_000 });
  for (const beat of sampleSession().beats) if (beat.type === 'said') session.append(beat.message);
  return session.transcript();
};

/** Fixtures that the project made itself, in the formats of the agents. */
function readFixture(path: string): { readonly format: string; readonly messages: readonly Message[] } {
  const source = readFileSync(new URL(path, import.meta.url));
  return { format: detectFormat(source) ?? '', messages: readSession(source).messages };
}

function listShown(): readonly Shown[] {
  const sample = readSample();
  const workday = readFixture('../fixtures/workday.jsonl');
  const fixture = (file: string, maxTokens: number): Shown => {
    const { format, messages } = readFixture(`../../../formats/test/fixtures/${file}`);
    return { title: `A short session of ${format}`, maxTokens, messages };
  };
  return [
    { title: 'The sample session', maxTokens: 2_400, messages: sample },
    { title: 'The same in a quarter of the room', maxTokens: 600, messages: sample },
    { title: 'Its first half', maxTokens: 1_200, messages: sample.slice(0, sample.length >> 1) },
    { title: 'A working day, recorded by claude-code', maxTokens: 1_200, messages: workday.messages },
    { title: 'The same in a quarter of the room', maxTokens: 300, messages: workday.messages },
    fixture('claude-code.jsonl', 400),
    fixture('codex.jsonl', 400),
    fixture('opencode.json', 400),
    fixture('pi.jsonl', 400),
    fixture('copilot.jsonl', 400),
  ];
}

const INTRODUCTION = `# Ten digests

What \`digest(messages, { maxTokens })\` makes of the project's own sample sessions, unedited (\`npm run docs:digests\`; a test holds
the page against a run). No model has a part in it. [What they are made of](summaries.md#statements).
`;

/** The page of docs/digests.md. */
export function writeDigests(): string {
  const parts = listShown().map(({ title, maxTokens, messages }, i) => {
    const { text, tokens } = digest(messages, { maxTokens });
    const about = `${messages.length} messages in ${tokens.toLocaleString('en')} of ${maxTokens.toLocaleString('en')} tokens.`;
    return `## ${i + 1}. ${title}\n\n${about}\n\n~~~~~text\n${text.trimEnd()}\n~~~~~\n`;
  });
  return [INTRODUCTION, ...parts].join('\n');
}
