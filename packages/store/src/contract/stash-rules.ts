import assert from 'node:assert/strict';
import { hardTexts, type RuleBody } from './ground.ts';

export const stashRules: Readonly<Record<string, RuleBody>> = {
  'a stashed text comes back as it was, also after a restart and without the lock': async (ground) => {
    const session = await (await ground.connect()).open('s');
    const refs = await Promise.all(hardTexts.map((text) => session.stash.put(text)));
    assert.equal(new Set(refs).size, hardTexts.length);
    for (const [i, ref] of refs.entries()) assert.equal(await session.stash.get(ref), hardTexts[i]);
    const other = await ground.connect();
    const looking = await other.read('s');
    for (const [i, ref] of refs.entries()) assert.equal(await looking.stash.get(ref), hardTexts[i]);
    await session.journal.close();
    const again = await other.open('s');
    for (const [i, ref] of refs.entries()) assert.equal(await again.stash.get(ref), hardTexts[i]);
    await again.journal.close();
  },

  'the same text has the same reference, however often and whenever it is put': async (ground) => {
    const session = await (await ground.connect()).open('s');
    const refs = await Promise.all(Array.from({ length: 10 }, () => session.stash.put('same')));
    await session.journal.close();
    const again = await (await ground.connect()).open('s');
    refs.push(await again.stash.put('same'));
    await again.journal.close();
    assert.equal(new Set(refs).size, 1);
  },

  'a reference that is not known, or is none at all, gives undefined': async (ground) => {
    const session = await (await ground.connect()).open('s');
    await session.stash.put('something');
    for (const ref of ['0'.repeat(32), '', '..', '../journal', '../../s/journal.jsonl', 'nul\u0000', '/etc/passwd'])
      assert.equal(await session.stash.get(ref), undefined);
    await session.journal.close();
  },
};
