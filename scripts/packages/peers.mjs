import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './pack.mjs';
import { run } from './run.mjs';

/** A conversation of 40 rounds against the simulator, which refuses what is too long. */
const TALK = `import { startSim } from '@palimpsest/sim';

export const WINDOW = 8_000;
const model = ({ turn }: { turn: number }) => ({ text: \`Answer \${turn}. \${'And so on. '.repeat(60)}\` });
export const sim = await startSim({ window: WINDOW, model });

export async function talk(ask: (question: string) => Promise<string>): Promise<void> {
  for (let n = 0; n < 40; n++) await ask(\`Question \${n}. \${'Please mind the details. '.repeat(30)}\`);
  const refused = sim.requests.filter(({ problem }) => problem !== undefined).length;
  const longest = Math.max(...sim.requests.map(({ body }) => JSON.stringify(body).length));
  await sim.close();
  console.log(\`\${sim.requests.length} requests, \${refused} refused, all fit: \${longest < 40_000}\`);
}
`;
const TALKED = /^40 requests, 0 refused, all fit: true/m;

const OPENAI = `import { palimpsest } from '@palimpsest/sdk/openai';
import OpenAI from 'openai';
import { sim, talk, WINDOW } from './talk.js';

const client = new OpenAI({ apiKey: 'k', baseURL: \`\${sim.url}/v1\`, fetch: palimpsest({ window: WINDOW }) });
const messages: OpenAI.ChatCompletionMessageParam[] = [];
await talk(async (content) => {
  messages.push({ role: 'user', content });
  const { choices } = await client.chat.completions.create({ model: 'gpt-5.5', messages });
  messages.push(choices[0]!.message);
  return choices[0]!.message.content ?? '';
});
`;

/** Version 4 has types of a `fetch` of its own until it is told to take the global one. */
const OPENAI_4 = `import 'openai/shims/web';\n${OPENAI}`;

const ANTHROPIC = `import { palimpsest } from '@palimpsest/sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { sim, talk, WINDOW } from './talk.js';

const client = new Anthropic({ apiKey: 'k', baseURL: sim.url, middleware: [palimpsest({ window: WINDOW })] });
const messages: Anthropic.MessageParam[] = [];
await talk(async (content) => {
  messages.push({ role: 'user', content });
  const answer = await client.messages.create({ model: 'claude-sonnet-5', max_tokens: 500, messages });
  messages.push({ role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] });
  return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
});
`;

/** SDKs without middleware take the \`fetch\`. */
const ANTHROPIC_FETCH = ANTHROPIC.replace('@palimpsest/sdk/anthropic', '@palimpsest/sdk/openai').replace(
  'middleware: [palimpsest({ window: WINDOW })]',
  'fetch: palimpsest({ window: WINDOW })',
);

const aiSdk = (version) => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { palimpsestMiddleware } from '@palimpsest/sdk/ai-sdk';
import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { sim, talk, WINDOW } from './talk.js';

const provider = createOpenAICompatible({ name: 'sim', baseURL: \`\${sim.url}/v1\`, apiKey: 'k' });
const middleware = palimpsestMiddleware({ window: WINDOW, specificationVersion: '${version}' });
const model = wrapLanguageModel({ model: provider('gpt-5.5'), middleware });
const messages: ModelMessage[] = [];
await talk(async (content) => {
  messages.push({ role: 'user', content });
  const { text } = await generateText({ model, messages });
  messages.push({ role: 'assistant', content: text });
  return text;
});
`;

const AGENTS = `import { palimpsestSession } from '@palimpsest/sdk/openai-agents';
import { Agent, MemorySession, OpenAIProvider, Runner } from '@openai/agents';
import { sim, talk, WINDOW } from './talk.js';

const modelProvider = new OpenAIProvider({ apiKey: 'k', baseURL: \`\${sim.url}/v1\`, useResponses: true });
const runner = new Runner({ tracingDisabled: true, modelProvider });
const agent = new Agent({ name: 'one', instructions: 'Be brief.', model: 'gpt-5.5' });
const session = palimpsestSession(new MemorySession(), { window: WINDOW });
await talk(async (content) => String((await runner.run(agent, content, { session })).finalOutput));
`;

/**
 * What people have installed: the ends of the peer ranges, and mixtures. Some want a newer Node than ours. LangChain is not
 * among them: npm takes minutes to lay out its newest versions, with or without us.
 */
const PROJECTS = [
  {
    name: 'only /openai, beside an Anthropic SDK that has no middleware',
    install: ['openai@4.104.0', '@anthropic-ai/sdk@0.20.0'],
    programs: { openai: OPENAI_4 },
    // Its own type of a `fetch` takes not even the global one without these.
    lib: ['lib.dom.d.ts'],
  },
  {
    name: 'an old Anthropic SDK by fetch',
    install: ['@anthropic-ai/sdk@0.60.0'],
    programs: { anthropic: ANTHROPIC_FETCH },
  },
  {
    name: 'the oldest Anthropic SDK whose middleware is promised, and OpenAI 5',
    install: ['openai@5.0.1', '@anthropic-ai/sdk@0.122.0'],
    programs: { openai: OPENAI, anthropic: ANTHROPIC },
  },
  {
    name: 'the oldest AI SDK',
    install: ['ai@5.0.0', '@ai-sdk/openai-compatible@1.0.0', 'zod@4'],
    programs: { ai: aiSdk('v2') },
  },
  {
    name: 'the oldest Agents SDK',
    install: ['@openai/agents@0.8.0', 'zod@4'],
    programs: { agents: AGENTS },
  },
  {
    name: 'the newest SDKs, on Node 22',
    install: [
      'node@22',
      'openai@7',
      '@anthropic-ai/sdk@1',
      'ai@7',
      '@ai-sdk/openai-compatible@3',
      '@openai/agents@0.20',
      'zod@4',
    ],
    programs: { openai: OPENAI, anthropic: ANTHROPIC, ai: aiSdk('v4'), agents: AGENTS },
  },
];

const OURS = ['core', 'wire', 'sdk', 'sim', 'tokens'];

/** Each project installs without force, compiles, and keeps a conversation. Answers with what did not. */
export async function tryPeers(packed, folder) {
  const ours = packed.filter(({ name }) => OURS.includes(name)).map(({ tarball }) => tarball);
  const failed = [];
  for (const [at, { name, install, programs, lib = [] }] of PROJECTS.entries()) {
    const app = join(folder, `peers-${at}`);
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }\n');
    const hasNode = install.some((one) => one.startsWith('node@'));
    // The package `node` fetches its program by a script.
    const flags = ['--no-audit', '--no-fund', ...(hasNode ? [] : ['--ignore-scripts'])];
    const installed = await run('npm', ['install', ...flags, ...ours, ...install], { cwd: app });
    if (installed.code !== 0) {
      failed.push(`${name}: npm install ended with ${installed.code}\n${installed.err}`);
      continue;
    }
    const node = hasNode ? join(app, 'node_modules/.bin/node') : process.execPath;
    failed.push(...(await tryPrograms(app, node, programs, lib)).map((problem) => `${name}: ${problem}`));
  }
  return failed;
}

async function tryPrograms(app, node, programs, lib) {
  const files = Object.entries({ talk: TALK, ...programs }).map(([file, source]) => {
    const path = join(app, `${file}.ts`);
    writeFileSync(path, source);
    return path;
  });
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', ...lib],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // How well the declarations of others are written is their affair.
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  });
  program.emit();
  const failed = files.flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${path.slice(app.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
  for (const name of Object.keys(programs)) {
    const { code, out, err } = await run(node, [`${name}.js`], { cwd: app });
    if (code !== 0 || !TALKED.test(out)) failed.push(`${name}: code ${code}\n${out}${err.slice(-1_000)}`);
  }
  return failed;
}
