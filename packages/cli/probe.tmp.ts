import { fileStore } from '@palimpsest/store';
import { createSession, partText } from '@palimpsest/core';
const [dir, window] = [process.argv[2]!, Number(process.argv[3])];
const s = await fileStore({ dir }).read('sample');
const session = createSession({ window, records: s.records });
for (const e of session.ledger().entries) if (e.type === 'edits') for (const x of e.edits) if (x.type === 'fold') console.log(x.ref, e.trigger, e.layer, x.from, x.to, x.messages.length, 'has rule:', JSON.stringify(x.messages).includes('never touch the migrations folder'), JSON.stringify(x.messages[0]?.parts[0] ?? '').slice(0, 70));
const last = session.receipts().flatMap((r) => r.lines).filter((l) => l.layer === 'summarize-history' && l.kind === 'messages').at(-1)!;
for (const ref of last.refs) console.log(ref, session.recall.read(ref).messages.length, session.recall.read(ref).messages[0]!.id, session.recall.read(ref).messages.at(-1)!.id);
for (const m of (await session.view()).messages) if (m.origin === 'palimpsest') console.log(`--- ${m.id} ${m.role} ${m.origin}\n` + m.parts.map(partText).join('\n').slice(0, 5500));
