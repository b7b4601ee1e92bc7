import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pack.mjs';
import { run } from './run.mjs';

const SESSION = `import { assistant, createSession, user } from '@palimpsest/core';

const session = createSession({ window: 4_000 });
for (let turn = 0; turn < 60; turn++) {
  session.append(user(\`Question \${turn}: never touch the migrations folder. \${'word '.repeat(60)}\`));
  const { messages } = await session.view();
  session.append(assistant(\`Answer \${turn} to \${messages.length} messages.\`));
}
const { tokens, messages } = await session.view();
console.log(JSON.stringify({ tokens, fewer: messages.length < session.transcript().length }));
`;

/** Every entry loads, also where none of the SDKs is installed. */
const LIBRARIES = `import { readSession } from '@palimpsest/formats';
import { startSim } from '@palimpsest/sim';
import { fileStore } from '@palimpsest/store';
import { postgresStore } from '@palimpsest/store-postgres';
import { exactCounter } from '@palimpsest/tokens';
import { anthropicMessages } from '@palimpsest/wire';

for (const name of ['anthropic', 'openai', 'ai-sdk', 'langchain']) await import('@palimpsest/sdk/' + name);
await import('@palimpsest/store/testing');
await import('@palimpsest/agent');
const { readPage } = await import('@palimpsest/inspector');
if (!(await readPage()).script.includes('uplot')) throw new Error('the page is not beside the build');
const sim = await startSim();
const found = [readSession, fileStore, postgresStore, anthropicMessages].every((one) => one !== undefined);
console.log(found, sim.url.startsWith('http://127.0.0.1:'), exactCounter().text('one two'));
await sim.close();
`;

/** Its worker threads run another file of the build. */
const GATEWAY = `import { startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';

const sim = await startSim();
const gateway = await startGateway({ upstreams: { '*': sim.url }, window: 8_000, workers: 1 });
const messages = Array.from({ length: 41 }, (_, n) => ({
  role: n % 2 ? 'assistant' : 'user',
  content: n % 2 ? \`\${n} \${'word '.repeat(800)}\` : \`go on with \${n}\`,
}));
const answer = await fetch(gateway.url + '/v1/messages', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
  body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 100, messages }),
});
console.log(answer.status, answer.headers.get('x-palimpsest-compacted'), answer.headers.get('x-palimpsest-passed'));
await answer.text();
await gateway.close();
await sim.close();
`;

/** Uses what lies in `app/node_modules` as a newcomer would. Answers with what did not work. */
export async function tryAll(app, commandAt) {
  const home = join(app, 'home');
  mkdirSync(home, { recursive: true });
  const kept = Object.entries(process.env).filter(([name]) => !/API_KEY|^PALIMPSEST_|^NODE_OPTIONS$/.test(name));
  const env = { ...Object.fromEntries(kept), HOME: home, PALIMPSEST_HOME: home };
  const node = (...words) => run(process.execPath, words, { cwd: app, env });
  const palimpsest = (...words) => node(commandAt('palimpsest'), ...words);
  const recording = join(ROOT, 'packages/cli/test/fixtures/workday.jsonl');
  writeFileSync(join(app, 'session.mjs'), SESSION);
  writeFileSync(join(app, 'libraries.mjs'), LIBRARIES);
  writeFileSync(join(app, 'gateway.mjs'), GATEWAY);
  writeFileSync(join(app, 'common.cjs'), "console.log(typeof require('@palimpsest/core').createSession);\n");

  const trials = [
    ['a session of core', () => node('session.mjs'), /"tokens":\d+,"fewer":true/],
    ['every library', () => node('libraries.mjs'), /^true true 2/],
    ['a gateway with a worker thread', () => node('gateway.mjs'), /^200 true null/],
    ['core from CommonJS', () => node('--no-warnings', 'common.cjs'), /^function/],
    ['palimpsest --version', () => palimpsest('--version'), /^\d+\.\d+\.\d+/],
    ['palimpsest sample', () => palimpsest('sample'), /word for word/],
    ['palimpsest digest', () => palimpsest('digest', recording, '--max-chars', '1200'), /## State/],
    [
      'palimpsest inspect --html',
      () => palimpsest('inspect', recording, '--html', join(app, 'page.html')),
      /^Written .*19 model calls, 1 compaction/,
    ],
    ['palimpsest sim', () => startedAndEnded(commandAt('palimpsest'), { cwd: app, env }), /1 answered/],
    [
      'palimpsest agent -p',
      () => palimpsest('agent', '-p', 'remember: never touch db', '-p', 'what must you never touch?'),
      /db/,
    ],
  ];
  const failed = [];
  for (const [name, act, expected] of trials) {
    const { code, out, err } = await act();
    if (code !== 0 || !expected.test(out)) failed.push(`${name}: code ${code}\n${out.slice(-500)}${err}`);
  }
  return failed;
}

/** One request while it runs, then Ctrl-C. */
function startedAndEnded(command, options) {
  let asked = false;
  const onOut = async (out, child) => {
    if (asked || !out.includes('Ctrl-C')) return;
    asked = true;
    const url = out.split('\n')[0];
    const body = { model: 'gpt-5.5', messages: [{ role: 'user', content: 'go' }] };
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify(body),
    }).catch(() => {});
    child.kill('SIGINT');
  };
  return run(process.execPath, [command, 'sim'], { ...options, onOut });
}
