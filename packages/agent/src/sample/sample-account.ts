import { readFile } from 'node:fs/promises';
import { callsOf, partText, type Receipt, resultsOf, type Session } from '@palimpsest/core';
import { formatBytes, formatCount, formatNumber } from '@palimpsest/terminal';
import { currentView } from '../loop/context-use.ts';
import type { Folder } from '../world/folder.ts';

/** Keeps count of what the layers did, and holds the end of the sample against its beginning. */
export interface SampleAccount {
  add(receipt: Receipt): void;
  /** What each layer hid in all, taken back or not. */
  layers(): readonly string[];
}

const WORDS: Readonly<Record<string, readonly [one: string, many: string, how: string]>> = {
  'stash-large-results': ['result', 'results', 'saved in full, a preview stays'],
  'clear-old-results': ['result', 'results', 'a line with a reference stays'],
  'supersede-reads': ['result', 'results', 'read again or written since'],
  'collapse-spans': ['message', 'messages', 'a few lines for each span stay'],
  'summarize-history': ['message', 'messages', 'a summary and your words stay'],
};

export function sampleAccount(): SampleAccount {
  const hidden = new Map<string, { readonly count: number; readonly bytes: number }>();
  return {
    add({ lines }) {
      for (const { layer, kind, count: more, bytes: size } of lines) {
        if (kind === 'attachment') continue;
        const sum = hidden.get(layer) ?? { count: 0, bytes: 0 };
        hidden.set(layer, { count: sum.count + more, bytes: sum.bytes + size });
      }
    },
    layers: () =>
      [...hidden].map(([layer, { count: parts, bytes: size }]) => {
        const [one, many, how] = WORDS[layer] ?? ['part', 'parts', 'a reference stays'];
        return `  ${layer.padEnd(20)} hid ${formatCount(parts, one, many).padEnd(12)} ${formatBytes(size).padStart(8)}; ${how}`;
      }),
  };
}

export interface Proof {
  readonly says: string;
  readonly holds: boolean;
}

/** Each is looked at, none is claimed: the files on the disk, the view, recall. */
export async function proofs(session: Session, folder: Folder, rule: string): Promise<readonly Proof[]> {
  const view = currentView(session).flatMap(({ parts }) => parts.map(partText));
  const { read, same } = await readBack(session, folder);
  return [
    { says: `“${rule}” stands in the view, word for word`, holds: view.some((text) => text.includes(rule)) },
    {
      says: `${formatNumber(same)} of ${formatCount(read, 'file')} that were read come back through recall, byte for byte`,
      holds: read > 0 && same === read,
    },
  ];
}

async function readBack(session: Session, folder: Folder): Promise<{ readonly read: number; readonly same: number }> {
  const paths = new Map<string, string>();
  let read = 0;
  let same = 0;
  for (const message of session.transcript()) {
    for (const { callId, tool, input } of callsOf(message))
      if (tool === 'read_file') paths.set(callId, (input as { readonly path: string }).path);
    const path = paths.get(resultsOf(message)[0]?.callId ?? '');
    if (path === undefined) continue;
    const content = (await readFile(folder.at(path), 'utf8')).trimEnd();
    read++;
    if (session.recall.read(message.id).text.includes(content)) same++;
  }
  return { read, same };
}
