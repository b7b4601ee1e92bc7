/** How long others of the process had to wait while something was done. */
export interface Blocks {
  readonly totalMs: number;
  /** The longest stretch between two turns of the event loop: by the clock, and of processor time of all threads of the process. */
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly turns: number;
}

export const turnLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Does work and takes the time at each turn of the event loop. */
export async function watchLoop(work: () => unknown): Promise<Blocks> {
  let [wallMs, cpuMs, turns, isOver] = [0, 0, 0, false];
  await turnLoop();
  let [wall, cpu] = [performance.now(), process.cpuUsage()];
  const watch = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    wallMs = Math.max(wallMs, performance.now() - wall);
    cpuMs = Math.max(cpuMs, (user + system) / 1_000);
    turns++;
    [wall, cpu] = [performance.now(), process.cpuUsage()];
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  const start = performance.now();
  await work();
  const totalMs = performance.now() - start;
  await turnLoop();
  isOver = true;
  return { totalMs, wallMs, cpuMs, turns };
}
