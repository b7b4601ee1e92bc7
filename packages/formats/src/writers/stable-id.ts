/** Ids made from what they name: the same session is written the same way twice. */

/** 128 bits, well mixed; it tells things apart and guards nothing. */
function hashSeed(seed: string): string {
  const lanes = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];
  for (let i = 0; i < seed.length; i++) {
    const code = seed.charCodeAt(i);
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul(lanes[lane]! ^ code, 0x01000193 + lane * 0x2c1b3c6d);
      lanes[lane] = (mixed ^ (mixed >>> 15)) >>> 0;
    }
  }
  for (let lane = 0; lane < 8; lane++) {
    const mixed = Math.imul(lanes[lane % 4]! ^ (lanes[(lane + 1) % 4]! >>> 11), 0x85ebca6b);
    lanes[lane % 4] = (mixed ^ (mixed >>> 13)) >>> 0;
  }
  return lanes.map((lane) => lane.toString(16).padStart(8, '0')).join('');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (id: string): boolean => UUID.test(id);

/** Version 8: for values that an application makes in its own way. */
export function makeUuid(seed: string): string {
  const hex = hashSeed(seed);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

export const makeShortId = (seed: string): string => hashSeed(seed).slice(0, 8);
