import type { Bench } from './bench.ts';

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  audit: async () => (await import('./benches/audit.ts')).auditBench,
  recall: async () => (await import('./benches/recall.ts')).recallBench,
  sdk: async () => (await import('./benches/sdk.ts')).sdkBench,
  turn: async () => (await import('./benches/turn.ts')).turnBench,
  wire: async () => (await import('./benches/wire.ts')).wireBench,
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (load === undefined) {
  console.error(`There is no bench ${JSON.stringify(name)}. Say one of: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else {
  const bench = await load();
  process.exitCode = (await bench((line) => console.log(line), args)) ? 0 : 1;
}
