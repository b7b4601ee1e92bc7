import { startSim } from '@palimpsest/sim';
import OpenAI from 'openai';

const sim = await startSim({ window: 16_000 });

const openai = new OpenAI({ baseURL: `${sim.url}/v1`, apiKey: 'any' });
const answer = await openai.chat.completions.create({
  model: 'gpt-5.5',
  messages: [{ role: 'user', content: 'Hello?' }],
});
console.log(answer.choices[0]?.message.content, '·', sim.requests.length, 'request');

await sim.close();
