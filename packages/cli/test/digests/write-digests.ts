import { readFileSync } from 'node:fs';
import { createSession, digest, type Message } from '@palimpsest/core';
import { detectFormat, readSession } from '@palimpsest/formats';
import { sampleSession } from '../../src/sample/sample-session.ts';
import { brokenUmlauts } from './tales/broken-umlauts.ts';
import { doubleBooking } from './tales/double-booking.ts';
import { leakingWorkers } from './tales/leaking-workers.ts';
import { recordClaudeCode, recordCodex, recordOpenCode, recordPi } from './tales/record-tale.ts';
import { slowIndex } from './tales/slow-index.ts';

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

/** A session as its agent recorded it. */
function readRecord(source: Uint8Array | string): { readonly format: string; readonly messages: readonly Message[] } {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
  return { format: detectFormat(bytes) ?? '', messages: readSession(bytes).messages };
}

function listShown(): readonly Shown[] {
  const sample = readSample();
  const workday = readRecord(readFileSync(new URL('../fixtures/workday.jsonl', import.meta.url)));
  const tell = (about: string, record: string, maxTokens: number): Shown => {
    const { format, messages } = readRecord(record);
    return { title: `${about}, a session of ${format}`, maxTokens, messages };
  };
  return [
    { title: 'The sample session', maxTokens: 2_400, messages: sample },
    { title: 'The same in a quarter of the room', maxTokens: 600, messages: sample },
    { title: 'Its first half', maxTokens: 1_200, messages: sample.slice(0, sample.length >> 1) },
    { title: 'A working day, a session of claude-code', maxTokens: 1_200, messages: workday.messages },
    tell('A payment that was booked twice', recordClaudeCode(doubleBooking), 900),
    tell('The same in a third of the room', recordClaudeCode(doubleBooking), 300),
    tell('Goroutines that stay', recordCodex(leakingWorkers), 900),
    tell('Umlauts that are lost', recordOpenCode(brokenUmlauts), 900),
    tell('An index that takes twenty minutes', recordPi(slowIndex), 900),
    tell('The same in a third of the room', recordPi(slowIndex), 300),
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
