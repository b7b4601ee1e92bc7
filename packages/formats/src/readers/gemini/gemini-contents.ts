import type { CallPart, Message } from '@palimpsest/core';
import { tagUser, userMessages } from '../../content/authored-part.ts';
import { at, type Fields, fieldsOf, listOf, recordsOf, stringOf, wordOf } from '../../fields.ts';
import { type Draft, newDraft } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import type { Reader } from '../reader.ts';
import { isSnapshot, isSnapshotReceipt, modelPart, userPart } from './part.ts';

/** A request's contents: exactly what the model saw last. A compression shows as a snapshot; what it hid is gone. */
function read(value: unknown): Recording {
  const draft = newDraft('gemini-contents');
  const contents = contentsIn(value);
  let open: CallPart[] = [];
  for (let i = 0; i < contents.length; i++) {
    const { role } = contents[i]!;
    const id = `content-${i + 1}`;
    const parts = recordsOf(contents[i]!.parts);
    if (role === 'model') {
      const said = parts.map((part, index) => modelPart(part, `${id}.${index + 1}`));
      open = said.filter((part): part is CallPart => part.type === 'call');
      draft.say({ id, role: 'assistant', origin: 'model', parts: said });
      continue;
    }
    const said = parts.map((part) => userPart(part, (response) => answeredCall(open, response)));
    if (!said.some(isSnapshot)) {
      for (const message of userMessages(id, tagUser(said), undefined)) draft.say(message);
      continue;
    }
    const receipt = contents[i + 1];
    const answer = receipt?.role === 'model' ? recordsOf(receipt.parts).map((part) => modelPart(part, '')) : [];
    compact(
      draft,
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
  return draft.finish({ system: systemIn(value) });
}

/** Results name their call by id, or answer the calls of one tool in order. */
function answeredCall(open: CallPart[], response: Fields): string {
  const id = wordOf(response.id);
  const index = open.findIndex((call) => (id === undefined ? call.tool === response.name : call.callId === id));
  return index < 0 ? (id ?? '') : open.splice(index, 1)[0]!.callId;
}

function compact(draft: Draft, snapshot: Message, receipt: Message | undefined): void {
  const summary = snapshot.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  const put = receipt === undefined ? [snapshot] : [snapshot, receipt];
  draft.compact({ type: 'summary', summary, summaryId: snapshot.id }, [...draft.view(), ...put]);
}

/** Bare, or as a checkpoint (`history`) or a request (`contents`) holds them. */
const contentsIn = (value: unknown): readonly Fields[] =>
  recordsOf(Array.isArray(value) ? value : (at(value, 'history') ?? at(value, 'contents')));

function systemIn(value: unknown): string | undefined {
  const system = at(value, 'systemInstruction');
  return (
    recordsOf(at(system, 'parts'))
      .flatMap((part) => wordOf(part.text) ?? [])
      .join('\n') || stringOf(system)
  );
}

const isContent = (value: unknown): boolean => {
  const role = at(value, 'role');
  return (
    (role === 'user' || role === 'model') && fieldsOf(value) !== undefined && listOf(at(value, 'parts')).length > 0
  );
};

export const geminiContents: Reader = {
  format: 'gemini-contents',
  looksFor: 'a list (or "history", "contents") of objects with "role" (user or model) and "parts"',
  document: {
    recognizes: (value) => {
      const contents = contentsIn(value);
      return contents.length > 0 && contents.every(isContent);
    },
    read,
  },
};
