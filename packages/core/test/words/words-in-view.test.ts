import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  type PresetName,
  presets,
  result,
  results,
  type Session,
  text,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { askingLayers } from '../support/asking-layers.ts';
import { long, textOf } from '../texts.ts';

/** One of each place in which a user's words can stand. */
const WORDS = {
  request: 'Read every module in order, and report when all are read. The release code is QX-4471-ZED.',
  plain: 'Niulize kwanza kabla ya kufuta faili.',
  interruption: 'wait, the second column holds grams',
  besideResults: 'while that runs: Mara signs off the totals',
  picture: 'the margin in this picture is the one I want',
  list: 'Two things:\n- totals in grams\n- dates as in 2026-11-15',
} as const;

const open = (preset: PresetName, more: object = {}): Session =>
  createSession({ window: 24_000, layers: askingLayers(preset), drafts: false, ...more });

function speak(session: Session): void {
  session.append(user(WORDS.request));
  session.append(
    assistant([call('a', 'read_file', { path: 'src/a.ts' }), call('b', 'read_file', { path: 'src/b.ts' })]),
  );
  session.append(results([result('a', 'export const a = 1;')]));
  session.append(user(WORDS.interruption));
  session.append(results([result('b', 'export const b = 2;')]));
  session.append(assistant([call('c', 'read_file', { path: 'src/c.ts' })]));
  session.append(user([result('c', 'export const c = 3;'), text(WORDS.besideResults)]));
  session.append(assistant('I go on.'));
  session.append(
    user([{ type: 'media', kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }, text(WORDS.picture)]),
  );
  session.append(assistant('I see.'));
  session.append(user(WORDS.plain));
  session.append(assistant('I will.'));
  session.append(user(WORDS.list));
  session.append(assistant('Yes.'));
}

let calls = 0;
function work(session: Session, rounds = 4): void {
  for (let i = 0; i < rounds; i++) {
    const id = `k${calls++}`;
    session.append(assistant([call(id, 'read_file', { path: `src/module_${calls}.ts` })]));
    session.append(results([result(id, long(`export const limit_${calls} = ${calls * 31};`, 60))]));
  }
}

/** What of these words a view neither shows where it was typed, nor quotes, nor lists as missing. */
interface Lost {
  /** Not verbatim, in the message in which it was typed. */
  readonly moved: readonly string[];
  /** Neither verbatim nor quoted. */
  readonly unsaid: readonly string[];
  /** Not verbatim, and not listed as missing with a message that reads it back; or listed and verbatim all the same. */
  readonly silent: readonly string[];
}

async function lostWords(session: Session): Promise<Lost> {
  const { messages, missing = [] } = await session.view();
  const seen = textOf(messages);
  const unquoted = seen.replaceAll('\n> ', '\n');
  const [moved, unsaid, silent]: [string[], string[], string[]] = [[], [], []];
  for (const words of Object.values(WORDS)) {
    const typed = session
      .transcript()
      .find(({ parts }) => parts.some((one) => one.type === 'text' && one.text === words));
    const part = typed?.parts.findIndex((one) => one.type === 'text' && one.text === words);
    const shown = messages.find(({ id, origin }) => id === typed?.id && origin === 'human');
    const stands = shown?.parts.some((one) => one.type === 'text' && one.text === words) === true;
    if (!stands) moved.push(words);
    if (!stands && !unquoted.includes(words)) unsaid.push(words);
    const listed = missing.filter((one) => one.message === typed?.id && one.part === part);
    const isRead = listed.every((one) => session.recall.read(one.message).text.includes(words));
    if (listed.length !== (stands ? 0 : 1) || !isRead) silent.push(words);
  }
  return { moved, unsaid, silent };
}

const none = { moved: [], unsaid: [], silent: [] };

const names = Object.keys(presets) as readonly PresetName[];
const cases = names.flatMap((preset) => [[preset, false] as const, [preset, true] as const]);

describe.each(cases)('preset %s, with a model: %s', (preset, model) => {
  const more = model ? { ports: { summarizer: good() } } : {};
  /** Presets named after other systems fold what users type; a snip of theirs says no more than that it happened. */
  const expected: Partial<Lost> =
    preset === 'default' ? none : { silent: [], ...(preset === 's08' ? {} : { unsaid: [] }) };
  const check = async (session: Session): Promise<void> => {
    const lost = await lostWords(session);
    expect(lost).toMatchObject(expected);
    // The first message stays where it stands with every preset.
    expect(lost.moved).not.toContain(WORDS.request);
  };

  it('what the user typed stands verbatim in every view, or is quoted, and nothing is missing silently', async () => {
    const session = open(preset, more);
    speak(session);
    for (let turn = 0; turn < 40; turn++) {
      work(session);
      await check(session);
    }
    expect(session.receipts().length).toBeGreaterThan(3);
  });

  it('also in a subagent, after an undo, in a smaller window, and after every form of a compaction asked for', async () => {
    const session = open(preset, { ...more, subagent: true });
    speak(session);
    for (let turn = 0; turn < 12; turn++) {
      work(session);
      await session.view();
    }
    await check(session);
    session.undo();
    await check(session);
    await session.compact({ form: 'up-to' });
    await check(session);
    work(session, 2);
    session.append(user('and one thing more'));
    const from = session.append(assistant('Yes?'));
    work(session, 3);
    await session.compact({ form: 'from', at: from });
    await check(session);
    await session.switchTo({ window: 9_000 });
    await check(session);
    await session.compact({ form: 'all' });
    await check(session);
  });

  it('also what was said behind a pinned message, when a summary of both is written anew, once and again', async () => {
    const session = open(preset, more);
    session.append(user(WORDS.request));
    session.append(assistant([call('p', 'read_file', { path: 'src/p.ts' })]));
    const pinned = session.append(results([result('p', 'export const p = 1;')]));
    session.pin(pinned);
    speak(session);
    work(session);
    await session.compact({ form: 'all' });
    await check(session);
    work(session, 2);
    await session.compact({ form: 'up-to', at: pinned });
    await check(session);
    await session.compact({ form: 'up-to', instructions: 'be brief' });
    await check(session);
    session.unpin(pinned);
    await session.compact({ form: 'up-to', at: pinned });
    await check(session);
  });

  it('a log pasted with the words is shortened, pushes nothing out, and is read back by its message', async () => {
    const session = open(preset, more);
    const log = Array.from(
      { length: 1_250 },
      (_, i) => `12:00 worker ${String(i).padStart(4, '0')} took its time`,
    ).join('\n');
    speak(session);
    const pasted = session.append(user(`Here is the log:\n${log}\nThat was the log, mind worker 0815.`));
    session.append(assistant('I have read it.'));
    for (let turn = 0; turn < 20; turn++) {
      work(session);
      session.append(user('go on'));
      await check(session);
    }
    const { messages, missing = [] } = await session.view();
    expect(missing.filter(({ message }) => message === pasted)).toHaveLength(1);
    expect(session.recall.read(pasted).text).toContain(log);
    if (preset === 's08') return;
    const seen = textOf(messages);
    expect(seen).toContain('Here is the log:');
    expect(seen).toContain('That was the log, mind worker 0815.');
    const reference = /characters cut; recall (\S+) …\]/.exec(seen)?.[1];
    expect(session.recall.read(reference ?? '').text).toContain(log);
  });
});
