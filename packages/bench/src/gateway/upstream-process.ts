import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Names what was read, in the form that summaries are asked for, so that it serves as one too. */
const ANSWER = `<summary>
## Goal
- Read all files, and never touch db/.
## Facts
${Array.from({ length: 15 }, (_, n) => `- VALUE_${n}_7 of src/f${n}.ts is ${n * 7919 + 7}, and is read by nobody.`).join('\n')}
## Now
- Go on with the next file.
</summary>`;
const PIECES = ANSWER.match(/[\s\S]{1,60}/g) ?? [];

/** A provider that answers every request with a short stream, as soon as it has all of it. */
const EVENTS = [
  { type: 'message_start', message: { id: 'm', usage: { input_tokens: 100, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...PIECES.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 60 } },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of EVENTS) response.write(event);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
process.on('disconnect', () => process.exit(0));
