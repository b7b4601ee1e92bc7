import type { JournalRecord, Session } from '@palimpsest/core';
import { type Inspector, inspectOwn } from '../inspector.ts';
import type { Served } from './answer-request.ts';

const LOOK_EVERY_MS = 500;

/** A session that runs in this process: read again when it has gone on, and its decisions can be taken back. */
export function followLive(session: Session, id: string): Served {
  let known: { readonly mark: string; readonly inspector: Promise<Inspector> } | undefined;
  const markNow = (): string => `${session.transcript().length} ${session.ledger().entries.length}`;
  return {
    async inspector() {
      const mark = markNow();
      if (known?.mark !== mark) known = { mark, inspector: inspectNow(session, id) };
      return known.inspector;
    },
    async undo(walk) {
      session.undo(walk);
      await session.saved();
    },
    async pin(message, isPinned) {
      if (isPinned) session.pin(message);
      else session.unpin(message);
      await session.saved();
    },
    watch(onChange, signal) {
      let last = markNow();
      const timer = setInterval(() => {
        const mark = markNow();
        if (mark !== last && !signal.aborted) onChange();
        last = mark;
      }, LOOK_EVERY_MS);
      signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    },
  };
}

async function inspectNow(session: Session, id: string): Promise<Inspector> {
  const { budget, overhead } = session.status();
  const { window, trigger, target } = budget;
  const records = await listRecords(session);
  return inspectOwn(records, { title: id, id, window, now: { trigger, target, systemTokens: overhead.tokens } });
}

/** All that was said and decided, in its order: a fork writes it down. */
async function listRecords(session: Session): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  const fork = session.fork(undefined, {
    journal: {
      async append(more) {
        for (const record of more) records.push(record);
      },
      async close() {},
    },
  });
  await fork.saved();
  return records;
}
