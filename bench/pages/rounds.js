// Runs several ways of doing the same thing in turns, so that drift of the machine hits all of them alike.

/** The middle value. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** How many calls take about `ms`: by the best of four trial batches, so that one preempted batch does not decide. */
async function calibrate(call, ms) {
  let count = 1;
  let best = Number.POSITIVE_INFINITY;
  for (let trials = 0; trials < 4; ) {
    const took = await batch(call, count);
    if (took < ms / 3) {
      count *= took < ms / 12 ? 4 : 2;
      continue;
    }
    best = Math.min(best, took / count);
    trials += 1;
  }
  return Math.max(1, Math.round(ms / best));
}

async function batch(call, count) {
  const start = performance.now();
  for (let index = 0; index < count; index++) await call(index);
  return performance.now() - start;
}

/** Microseconds a call, as `{ name: { us, min, max } }`; `ways` are async functions. */
export async function measure(ways, { rounds, ms }) {
  const names = Object.keys(ways);
  const counts = {};
  const times = {};
  for (const name of names) {
    counts[name] = await calibrate(ways[name], ms);
    times[name] = [];
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length];
      times[name].push((1000 * (await batch(ways[name], counts[name]))) / counts[name]);
    }
  }
  return Object.fromEntries(
    names.map((name) => [
      name,
      { us: median(times[name]), min: Math.min(...times[name]), max: Math.max(...times[name]) },
    ]),
  );
}
