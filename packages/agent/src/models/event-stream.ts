import { createParser } from 'eventsource-parser';
import { parsed } from './fields.ts';

/** The JSON of each event of a `text/event-stream` body, as it arrives. `[DONE]` is no event. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data) });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      const ready = waiting;
      waiting = [];
      for (const data of ready) if (data !== '[DONE]') yield parsed(data);
      if (done) return;
    }
  } finally {
    // Whoever stops listening early hangs up.
    await reader.cancel().catch(() => {});
  }
}
