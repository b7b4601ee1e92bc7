/** A layer of one's own, before those of the preset: progress bars are cut to their last line as they arrive. */
import assert from 'node:assert/strict';
import {
  assistant,
  call,
  createSession,
  type Edit,
  type Layer,
  partText,
  presets,
  result,
  results,
  user,
} from '@palimpsest/core';

const lastLineOfProgress: Layer = {
  name: 'last-line-of-progress',
  decide(look) {
    const edits: Edit[] = [];
    for (const { message } of look.slots.slice(look.fresh))
      for (const [place, part] of message.parts.entries()) {
        if (part.type !== 'result') continue;
        const whole = partText(part);
        const last = whole.lastIndexOf('\r') + 1;
        // A notice longer than what it hides would make the view grow, which is an error.
        if (last < 100) continue;
        const ref = look.ref(edits.length);
        edits.push({
          type: 'replace',
          ref,
          message: message.id,
          part: place,
          excerpt: [`[progress hidden; recall ${ref}] `, [last, whole.length]],
        });
      }
    return { edits };
  },
};

const session = createSession({ window: 50_000, layers: [lastLineOfProgress, ...presets.default()] });
const output = Array.from({ length: 400 }, (_, n) => `downloading ${n / 4} %`).join('\r');
session.append(user('Fetch the data, please.'));
session.append(assistant([call('c1', 'bash', { command: 'fetch-data' })]));
session.append(results([result('c1', `${output}\rdone, 12 files`)]));

const view = await session.view();
const shown = partText(view.messages[2]!.parts[0]!);
assert.match(shown, /^\[progress hidden; recall e1\] done, 12 files$/);
assert.equal(view.receipt?.lines[0]?.layer, 'last-line-of-progress');
assert.equal(view.receipt.declared, false); // no model had seen it before: no cache is broken
assert.match(session.recall.read('e1').text, /downloading 42 %/);
console.log(`${output.length} characters of progress shown as: ${shown}`);
