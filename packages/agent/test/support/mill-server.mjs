// A real MCP server over stdio, made with the SDK; what it is called with says how it behaves.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [manner = 'well', pidFile] = process.argv.slice(2);
if (pidFile !== undefined) writeFileSync(pidFile, `${process.pid}\n`);

if (manner === 'dies') {
  console.error('the wheel is broken');
  process.exit(3);
}
if (manner === 'garbage') console.log('Welcome to the mill!');
if (manner === 'silent' || manner === 'garbage') {
  process.stdin.resume();
  setInterval(() => {}, 1_000);
} else if (manner === 'flood') {
  const chunk = 'x'.repeat(1_000_000);
  const pour = () => process.stdout.write(chunk, pour);
  pour();
} else await serve();

async function serve() {
  const flour = {
    type: 'object',
    properties: { sacks: { type: 'number' }, words: { type: 'string' } },
  };
  const text = (words, isError = false) => ({ content: [{ type: 'text', text: words }], isError });
  const tools = {
    grind: ({ sacks = 1 }) => text(`ground ${sacks} sacks, greetings from ${process.env.MILLER ?? 'nobody'}`),
    say: ({ words }) => text(words),
    fill: ({ sacks = 1 }) => text(Array.from({ length: sacks }, (_, i) => `sack ${i} of rye\n`).join('')),
    refuse: () => text('the millstone is stuck', true),
    picture: () => ({
      content: [
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'resource_link', name: 'ledger', uri: 'mill://ledger' },
        { type: 'resource', resource: { uri: 'mill://note', text: 'a note' } },
      ],
    }),
    structured: () => ({ content: [], structuredContent: { sacks: 7 } }),
    crash: () => {
      console.error('the dam has broken');
      process.exit(4);
    },
    hang: () => new Promise(() => {}),
    babble: () => {
      console.log('this is no message');
      return new Promise(() => {});
    },
    nonsense: (_, id) => {
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: 'not a list' } }));
      return new Promise(() => {});
    },
    pour: () => {
      process.stdout.write('y'.repeat(30_000_000));
      return new Promise(() => {});
    },
    fork: ({ words }) => {
      // A child that does not mind its parent's end.
      const child = spawn('sleep', ['60'], { stdio: 'ignore' });
      writeFileSync(words, `${child.pid}\n`);
      return text('forked');
    },
  };
  const names = manner === 'many' ? Array.from({ length: 200 }, (_, i) => `tool.${i}`) : Object.keys(tools);
  const server = new Server(
    { name: 'mill', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: 'Ask the miller before you grind.' },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: names.map((name) => ({ name, description: `${name} at the mill`, inputSchema: flour })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) =>
    tools[params.name](params.arguments ?? {}, requestId),
  );
  if (manner === 'stubborn') {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1_000);
  }
  await server.connect(new StdioServerTransport());
}
