/** An agent's loop: view, model, tools, and back. The provider reports usage, and once refuses a request as too long. */
import assert from 'node:assert/strict';
import {
  assistant,
  call,
  createSession,
  type NewMessage,
  result,
  results,
  text,
  user,
  type View,
} from '@palimpsest/core';

class TooLong extends Error {}

/** A model by script: reads forty files, one a call, then answers. Its window is smaller than it was said to be. */
function scriptedModel() {
  let calls = 0;
  return async ({ messages, tokens }: View): Promise<{ message: NewMessage; usage: { input: number } }> => {
    if (tokens > 9_000) throw new TooLong();
    assert.equal(messages[0]?.role, 'user');
    const n = ++calls;
    const message =
      n <= 40
        ? assistant([text(`Now file ${n}.`), call(`c${n}`, 'read_file', { path: `src/file-${n}.ts` })])
        : assistant('I have read all of them: nothing in there asks for a password.');
    return { message, usage: { input: tokens } };
  };
}

const readFile = (path: string): string => `// ${path}\n${'export const line = "of code";\n'.repeat(60)}`;

const session = createSession({ window: 12_000, system: 'You read code.' });
const ask = scriptedModel();
let refusals = 0;

session.append(user('Does anything in src ask for a password? Read every file.'));
for (let done = false; !done; ) {
  let view = await session.view();
  let answer: Awaited<ReturnType<typeof ask>>;
  try {
    answer = await ask(view);
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    refusals++;
    view = await session.overflowed(); // a smaller view, once; then a typed error
    answer = await ask(view);
  }
  session.observe(answer.usage);
  session.append(answer.message);
  const made = answer.message.parts.filter((part) => part.type === 'call');
  done = made.length === 0;
  if (!done)
    session.append(results(made.map((one) => result(one.callId, readFile((one.input as { path: string }).path)))));
}

assert.ok(refusals > 0);
assert.ok(session.receipts().some((receipt) => receipt.trigger === 'overflow'));
assert.match(JSON.stringify((await session.view()).messages), /ask for a password\?/);
console.log(`40 files read through a window of 12,000 tokens, ${refusals} refused requests, one answer.`);
