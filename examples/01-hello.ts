import assert from 'node:assert/strict';
import { assistant, createSession, user } from '@palimpsest/core';

const session = createSession({ window: 4_000 });
for (let day = 1; day <= 200; day++) {
  session.append(user(`Day ${day}: what is new? Please mind that the garden gate stays shut.`));
  const view = await session.view(); // what to send: valid, and within the window
  assert.ok(view.fits);
  session.append(assistant(`Nothing much on day ${day}. ${'The roses grow, the gate is shut. '.repeat(10)}`));
}
console.log(`${session.transcript().length} messages said, ${session.status().messages} in view, none lost.`);
