import type { World } from '../world.ts';
export async function playSample(_world: World): Promise<number> {
  return 0;
}
