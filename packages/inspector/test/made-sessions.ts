import {
  assistant,
  call,
  createSession,
  type JournalRecord,
  type Message,
  type NewMessage,
  type Part,
  result,
  type Session,
  type SessionOptions,
  text,
} from '@palimpsest/core';
import { type Recording, readSession, type SessionRecord, withCompaction, writeClaudeCode } from '@palimpsest/formats';
import { recallTool } from '@palimpsest/sdk/recall-tool';

export const RULE = 'Never touch the migrations folder.';
export const SECRET = 'sk-ant-api03-Zk3vQ9wXy7LmN2pR5tB8cD1f';
const START = Date.UTC(2026, 2, 2, 9);

const fileText = (name: string, round: number): string =>
  Array.from({ length: 40 }, (_, line) => `export const ${name}_${round}_${line} = ${round * 1_000 + line};`).join(
    '\n',
  );

/** A conversation of so many rounds: a rule at the start, then files that are read one after the other. */
export function makeMessages(rounds: number): readonly Message[] {
  const messages: Message[] = [];
  const say = (role: Message['role'], origin: Message['origin'], parts: readonly Part[]): void => {
    messages.push({ id: `m${messages.length + 1}`, role, origin, parts, at: START + messages.length * 4_000 });
  };
  say('user', 'human', [text(`Move the rounding into a module of its own. ${RULE}`)]);
  for (let round = 0; round < rounds; round++) {
    const file = `/shop/src/module-${round}.ts`;
    say('assistant', 'model', [text(`Reading module-${round}.`), call(`c${round}`, 'Read', { file_path: file })]);
    say('user', 'tool', [result(`c${round}`, fileText(`rate${round}`, round))]);
    if (round % 10 === 9) {
      say('assistant', 'model', [text(`module-${round} is done.`)]);
      say('user', 'human', [text(`Go on with part ${round}, and leave rate${round}_0 as it is.`)]);
    }
  }
  say('assistant', 'model', [text('All of it is moved.')]);
  return messages;
}

export const SUMMARY = `The user asked to move the rounding. module-1.ts was read, and
rate1_0_never_said stands in it.

${RULE} /shop/src/module-1.ts holds rate1_1_0.`;

/** The same, as a foreign recording that was cut down to a summary after so many messages. */
export function makeRecording(rounds = 24, cuts: readonly number[] = [25]): Recording {
  const messages = makeMessages(rounds);
  let record: SessionRecord = { id: 'made', model: 'claude-sonnet-4-5', messages: [], usage: [], compactions: [] };
  for (const [i, at] of cuts.entries()) {
    const id = `summary-${i}`;
    const summary: Message = { id, role: 'user', origin: 'harness', parts: [text(SUMMARY)], at: START + at * 4_000 };
    record = { ...record, messages: messages.slice(0, at) };
    record = withCompaction(record, [summary], { type: 'summary', trigger: 'auto', summary: SUMMARY, summaryId: id });
  }
  return readSession(Buffer.from(writeClaudeCode({ ...record, messages })));
}

/** A session of ours with its journal, as a host would lead it. */
export async function liveSession(
  rounds: number,
  options: Partial<SessionOptions> = {},
): Promise<{ readonly session: Session; readonly records: JournalRecord[] }> {
  const records: JournalRecord[] = [];
  const session = createSession({
    window: 12_000,
    journal: { append: async (added) => void records.push(...added), close: async () => {} },
    ...options,
  });
  for (const message of makeMessages(rounds)) {
    if (message.role === 'assistant') {
      const { tokens } = await session.view();
      session.append(message);
      session.observe({ input: 40, cacheRead: Math.max(0, tokens - 40), output: 20 });
    } else session.append(message);
  }
  await session.saved();
  return { session, records };
}

/** One more exchange in which the model reads something again, by the tool that it has for that. */
export async function recallOnce(session: Session, asked: Readonly<Record<string, string>>): Promise<void> {
  const say = (message: NewMessage): void => void session.append(message);
  say({ role: 'user', parts: [text('What did that file say?')] });
  await session.view();
  say(assistant([call('r1', 'recall', asked)]));
  say({ role: 'user', parts: [result('r1', recallTool(session).run(asked))] });
  await session.view();
  say(assistant('Now I know.'));
  await session.saved();
}
