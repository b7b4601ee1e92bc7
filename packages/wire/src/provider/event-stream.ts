import { parseJson } from '@palimpsest/core/json';
import { createParser } from 'eventsource-parser';

/** The JSON of each event of a response, as it arrives; of one that came whole, its JSON. `[DONE]` is no event. */
export async function* readEvents(response: Response): AsyncGenerator<unknown> {
  if (/[/+]json\b/i.test(response.headers.get('content-type') ?? '')) {
    const whole = parseJson(await response.text());
    yield* Array.isArray(whole) ? whole : [whole];
  } else if (response.body !== null) yield* readStream(response.body);
}

async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      const ready = arrived;
      arrived = [];
      for (const data of ready) if (data !== '[DONE]') yield parseJson(data) ?? data;
      if (done) return;
    }
  } finally {
    // Whoever stops listening early hangs up.
    await reader.cancel().catch(() => {});
  }
}
