/** A line with its features, its weight among all, and what it turned out to be worth for its length. */
export interface Sample {
  readonly features: Float64Array;
  readonly weight: number;
  readonly value: number;
}

const RIDGE = 1e-3;
const MOST_STEPS = 40;
/** A few lines are worth so much that they would decide alone. */
const TOP_SHARE = 0.001;

/** Weights w so that exp(w · features) comes as near to the values as it can: Poisson regression by Newton's method. */
export function fitWeights(samples: readonly Sample[]): readonly number[] {
  const size = samples[0]?.features.length ?? 0;
  const sorted = samples.map(({ value }) => value).sort((a, b) => b - a);
  const most = sorted[Math.floor(sorted.length * TOP_SHARE)] ?? 0;
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const mean = samples.reduce((sum, { weight, value }) => sum + weight * Math.min(value, most), 0) / total;
  let weights: Float64Array = new Float64Array(size);
  weights[0] = Math.log(mean);
  let loss = lossOf(weights);
  for (let step = 0; step < MOST_STEPS; step++) {
    const { gradient, curvature } = slopes(weights);
    const move = solve(curvature, gradient);
    let scale = 1;
    let next = weights;
    let nextLoss = loss;
    for (let tries = 0; tries < 20; tries++, scale /= 2) {
      next = weights.map((one, i) => one - scale * (move[i] ?? 0));
      nextLoss = lossOf(next);
      if (nextLoss < loss) break;
    }
    if (!(loss - nextLoss > 1e-9)) break;
    [weights, loss] = [next, nextLoss];
  }
  return [...weights];

  function lossOf(w: Float64Array): number {
    let sum = 0;
    for (const { features, weight, value } of samples) {
      const z = dot(w, features);
      sum += (weight / total) * (Math.exp(z) - Math.min(value, most) * z);
    }
    return sum + (RIDGE / 2) * w.slice(1).reduce((all, one) => all + one * one, 0);
  }

  function slopes(w: Float64Array): { readonly gradient: Float64Array; readonly curvature: readonly Float64Array[] } {
    const gradient = new Float64Array(size);
    const curvature = Array.from({ length: size }, () => new Float64Array(size));
    for (const { features, weight, value } of samples) {
      const mu = Math.exp(dot(w, features));
      const off = (weight / total) * (mu - Math.min(value, most));
      const bend = (weight / total) * mu;
      for (let i = 0; i < size; i++) {
        const x = features[i] as number;
        if (x === 0) continue;
        gradient[i] = (gradient[i] as number) + off * x;
        const row = curvature[i] as Float64Array;
        for (let j = 0; j <= i; j++) row[j] = (row[j] as number) + bend * x * (features[j] as number);
      }
    }
    for (let i = 0; i < size; i++) {
      const row = curvature[i] as Float64Array;
      for (let j = i + 1; j < size; j++) row[j] = (curvature[j] as Float64Array)[i] as number;
      if (i > 0) gradient[i] = (gradient[i] as number) + RIDGE * (w[i] as number);
      row[i] = (row[i] as number) + (i > 0 ? RIDGE : 1e-9);
    }
    return { gradient, curvature };
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return Math.min(30, sum);
}

/** Gaussian elimination with the largest pivot. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, i) => Float64Array.from([...row, right[i] ?? 0]));
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows
      .slice(column)
      .reduce(
        (best, row, i) => (Math.abs(row[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0) ? column + i : best),
        column,
      );
    const [one, other] = [rows[column], rows[pivot]];
    if (one === undefined || other === undefined) continue;
    [rows[column], rows[pivot]] = [other, one];
    const top = rows[column] as Float64Array;
    for (let r = 0; r < size; r++) {
      const row = rows[r] as Float64Array;
      const factor = (row[column] as number) / ((top[column] as number) || 1e-12);
      if (r === column || factor === 0) continue;
      for (let c = column; c <= size; c++) row[c] = (row[c] as number) - factor * (top[c] as number);
    }
  }
  return Float64Array.from(rows, (row, i) => (row[size] as number) / (row[i] || 1e-12));
}
