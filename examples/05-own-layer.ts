/** A layer of one's own, before those of the preset: near the limit, polls for the same thing give way to the newest. */
import assert from 'node:assert/strict';
import {
  assistant,
  call,
  callsOf,
  createSession,
  foldSlots,
  joinUnits,
  type Layer,
  makeMessage,
  partText,
  presets,
  result,
  results,
  type Unit,
  unitsOf,
  user,
} from '@palimpsest/core';

const isPoll = ({ first }: Unit): boolean => callsOf(first.message).some(({ tool }) => tool === 'poll_build');

const foldOldPolls: Layer = {
  name: 'fold-old-polls',
  decide(look) {
    // A call and its results are one unit: they can only be hidden together.
    const units = unitsOf(look.slots);
    const first = units.findLastIndex((unit) => !isPoll(unit)) + 1;
    const older = units.slice(first, -1);
    const span = joinUnits(older);
    if (look.over.tokens === 0 || span === undefined) return { edits: [] };
    const ref = look.ref(0);
    const notice = `[${older.length} earlier polls hidden; recall ${ref}]`;
    return { edits: [foldSlots(look, span, ref, (standsFor) => [makeMessage(ref, standsFor, notice)])] };
  },
};

const session = createSession({ window: 20_000, layers: [foldOldPolls, ...presets.default()] });
session.append(user('Tell me when the build is done.'));
for (let n = 1; n <= 40; n++) {
  const log = Array.from({ length: 40 }, (_, line) => `step ${line} of build: ${n} % of it done`).join('\n');
  session.append(assistant([call(`c${n}`, 'poll_build', { id: 7 })]));
  session.append(results([result(`c${n}`, log)]));
}

const view = await session.view();
const shown = view.messages.map((message) => message.parts.map(partText).join(' '));
assert.equal(view.messages.length, 4); // the request, the notice, the newest poll and its result
assert.equal(shown[1], '[39 earlier polls hidden; recall e1]');
assert.match(shown[3] ?? '', /40 % of it done/);
assert.deepEqual(
  view.receipt?.lines.map(({ layer }) => layer),
  ['fold-old-polls'],
);
assert.match(session.recall.read('e1').text, /17 % of it done/);
console.log(`78 messages shown as: ${shown[1]}`);
