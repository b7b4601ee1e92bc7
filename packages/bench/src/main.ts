import { type Bench, judgeArgs, runBench, WrongArgs } from './bench.ts';

/** Loaded by name: no bench should wait for the libraries of another. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  afternoon: async () => (await import('./benches/afternoon.ts')).afternoonBench,
  audit: async () => (await import('./benches/audit.ts')).auditBench,
  branches: async () => (await import('./benches/branches.ts')).branchesBench,
  digest: async () => (await import('./benches/digest.ts')).digestBench,
  gateway: async () => (await import('./benches/gateway.ts')).gatewayBench,
  generations: async () => (await import('./benches/generations.ts')).generationsBench,
  handover: async () => (await import('./benches/handover.ts')).handoverBench,
  held: async () => (await import('./benches/held.ts')).heldBench,
  inspector: async () => (await import('./benches/inspector.ts')).inspectorBench,
  keeps: async () => (await import('./benches/keeps.ts')).keepsBench,
  learn: async () => (await import('./benches/learn.ts')).learnBench,
  limits: async () => (await import('./benches/limits.ts')).limitsBench,
  live: async () => (await import('./benches/live.ts')).liveBench,
  messages: async () => (await import('./benches/messages.ts')).messagesBench,
  parts: async () => (await import('./benches/parts.ts')).partsBench,
  postgres: async () => (await import('./benches/postgres.ts')).postgresBench,
  reach: async () => (await import('./benches/reach.ts')).reachBench,
  recall: async () => (await import('./benches/recall.ts')).recallBench,
  sdk: async () => (await import('./benches/sdk.ts')).sdkBench,
  search: async () => (await import('./benches/search.ts')).searchBench,
  server: async () => (await import('./benches/server.ts')).serverBench,
  store: async () => (await import('./benches/store.ts')).storeBench,
  turn: async () => (await import('./benches/turn.ts')).turnBench,
  wire: async () => (await import('./benches/wire.ts')).wireBench,
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (load === undefined) {
  console.error(`There is no bench ${JSON.stringify(name)}. Say one of: ${Object.keys(BENCHES).join(', ')}.`);
  process.exitCode = 2;
} else {
  const bench = await load();
  try {
    judgeArgs(bench, args);
    process.exitCode = (await runBench(bench, args, (line) => console.log(line))) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof WrongArgs)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
