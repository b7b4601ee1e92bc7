import { startSim } from '@palimpsest/sim';
import OpenAI from 'openai';

// At these requests, counted from 1. `{ rate: 0.03, seed: 7 }` would be three in a hundred, the same for the same seed.
const sim = await startSim({
  faults: [
    { at: 1, kind: 'rate-limited' },
    { at: 2, kind: 'early-close' },
  ],
});
const openai = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'any', maxRetries: 3 });
const ask = () => openai.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello?' }] });
console.log((await ask()).choices[0]?.message.content);
for (const { n, status, fault = 'none', delivered } of sim.requests) console.log({ n, status, fault, delivered });

await sim.close();
