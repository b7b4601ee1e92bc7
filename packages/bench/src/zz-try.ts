import { startSim, explorer, type SimEntry } from '@palimpsest/sim';
import { AGENTS } from './sdk-agents.ts';
const [which = 'Anthropic SDK', turns = '100', mode='keep', stream=''] = process.argv.slice(2);
const model = explorer({ seed: 7, turns: Number(turns) });
const sim = await startSim({ model, window: 16_000 });
const names = which === 'all' ? Object.keys(AGENTS) : [which];
for (const name of names) {
  const start = Date.now();
  let from = sim.requests.length;
  const events: Record<string, number> = {};
  try {
    const answer = await AGENTS[name as keyof typeof AGENTS]({ url: sim.url, key: name, workshop: model, task: 'Look through the whole folder and tell me what is in it.', ...(mode === 'keep' ? { keep: { window: 16_000, on: (e) => { events[e.type] = (events[e.type] ?? 0) + 1; if (e.type==='view-compacted' && e.receipt.declared) events.declared=(events.declared??0)+1; } } } : {}), stream: stream === 'stream' });
    console.log(name, answer);
  } catch (error) { console.log(name, 'DIED', (error as Error).message.slice(0, 300)); }
  const mine = (e: SimEntry) => e.key === name;
  const bad = sim.requests.filter((e) => mine(e) && e.status >= 400);
  console.log(Date.now() - start, 'ms', sim.requests.length - from, 'requests', bad.length, 'bad', bad.slice(0, 3).map((b) => [b.n, b.problem]), JSON.stringify(sim.bill(mine), (k, v) => k === 'byModel' ? undefined : v), events);
}
await sim.close();
