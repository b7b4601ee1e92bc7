/** After so long other requests get their turn of the loop. */
const SLICE_MS = 4;

const waiting: (() => void)[] = [];
/** When reading began behind the loop's last turn. */
let since: number | undefined;
let isComing = false;

function callTurn(): void {
  if (isComing) return;
  isComing = true;
  setImmediate(() => {
    isComing = false;
    since = undefined;
    waiting.shift()?.();
    if (waiting.length > 0) callTurn();
  });
}

/** Of many bodies that arrive at once one is read on at each turn, once they have held up the loop long enough. Undefined: go on. */
export function giveWay(): Promise<void> | undefined {
  callTurn();
  since ??= performance.now();
  if (performance.now() - since < SLICE_MS) return undefined;
  return new Promise((resolve) => waiting.push(resolve));
}
