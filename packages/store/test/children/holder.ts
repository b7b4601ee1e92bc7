// Opens a session, says so, and stays.
import { writeSync } from 'node:fs';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { fileStore } from '../../src/file-store.ts';

const session = await fileStore({ dir: process.argv[2]! }).open('s');
await session.journal.append([numberedRecord(session.records.length, 100)]);
writeSync(1, `holding ${process.pid}\n`);
setInterval(() => {}, 60_000);
