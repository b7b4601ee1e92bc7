import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider that answers every request with a short stream, as soon as it has all of it. */
const EVENTS = [
  { type: 'message_start', message: { id: 'm', usage: { input_tokens: 100, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...Array.from({ length: 20 }, (_, n) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: `part ${n} of the answer ` },
  })),
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
