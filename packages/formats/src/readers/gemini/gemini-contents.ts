import type { CallPart, Message } from '@palimpsest/core';
import { asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import { attributeParts, splitByAuthor } from '../../content/authored-part.ts';
import { asRecords, asWord, getField } from '../../fields.ts';
import { newRecorder, type Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import type { Reader } from '../reader.ts';
import { isSnapshot, isSnapshotReceipt, readModelPart, readUserPart } from './part.ts';

/** A request's contents: exactly what the model saw last. A compression shows as a snapshot; what it hid is gone. */
function read(value: unknown): Recording {
  const recorder = newRecorder('gemini-contents');
  const contents = findContents(value);
  let open: CallPart[] = [];
  for (let i = 0; i < contents.length; i++) {
    const { role } = contents[i]!;
    const id = `content-${i + 1}`;
    const parts = asRecords(contents[i]!.parts);
    if (role === 'model') {
      const said = parts.map((part, index) => readModelPart(part, `${id}.${index + 1}`));
      open = said.filter((part): part is CallPart => part.type === 'call');
      recorder.say({ id, role: 'assistant', origin: 'model', parts: said });
      continue;
    }
    const said = parts.map((part) => readUserPart(part, (response) => takeAnsweredCall(open, response)));
    if (!said.some(isSnapshot)) {
      for (const message of splitByAuthor(id, attributeParts(said), undefined)) recorder.say(message);
      continue;
    }
    const receipt = contents[i + 1];
    const answer = receipt?.role === 'model' ? asRecords(receipt.parts).map((part) => readModelPart(part, '')) : [];
    recordCompaction(
      recorder,
      { id, role: 'user', origin: 'palimpsest', parts: said },
      isSnapshotReceipt(answer)
        ? {
            id: `content-${i + 2}`,
            role: 'assistant',
            origin: 'harness',
            parts: answer,
          }
        : undefined,
    );
    if (isSnapshotReceipt(answer)) i++;
  }
  return recorder.finish({ system: readSystem(value) });
}

/** Results name their call by id, or answer the calls of one tool in order. */
function takeAnsweredCall(open: CallPart[], response: Fields): string {
  const id = asWord(response.id);
  const index = open.findIndex((call) => (id === undefined ? call.tool === response.name : call.callId === id));
  return (index < 0 ? undefined : open.splice(index, 1)[0])?.callId ?? id ?? '';
}

function recordCompaction(recorder: Recorder, snapshot: Message, receipt: Message | undefined): void {
  const summary = snapshot.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  const put = receipt === undefined ? [snapshot] : [snapshot, receipt];
  recorder.compact({ type: 'summary', summary, summaryId: snapshot.id }, [...recorder.view(), ...put]);
}

/** Bare, or as a checkpoint (`history`) or a request (`contents`) holds them. */
const findContents = (value: unknown): readonly Fields[] =>
  asRecords(Array.isArray(value) ? value : (getField(value, 'history') ?? getField(value, 'contents')));

function readSystem(value: unknown): string | undefined {
  const system = getField(value, 'systemInstruction');
  return (
    asRecords(getField(system, 'parts'))
      .flatMap((part) => asWord(part.text) ?? [])
      .join('\n') || asString(system)
  );
}

const isContent = (value: unknown): boolean => {
  const role = getField(value, 'role');
  return (role === 'user' || role === 'model') && isFields(value) && asList(getField(value, 'parts')).length > 0;
};

export const geminiContents: Reader = {
  format: 'gemini-contents',
  looksFor: 'a list (or "history", "contents") of objects with "role" (user or model) and "parts"',
  document: {
    recognizes: (value) => {
      const contents = findContents(value);
      return contents.length > 0 && contents.every(isContent);
    },
    read,
  },
};
