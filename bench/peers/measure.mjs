// Takes the time of something done often, inside the process that does it.

const WARM_NS = 500_000_000;
const WARM_RUNS = 2_000;
// What is slow is not warmed up for ever.
const WARM_NS_MAX = 4_000_000_000;
const BATCH_NS = 200_000;
const SAMPLES = { fewest: 15, most: 2_000 };

const now = () => Number(process.hrtime.bigint());

/** The median of one run, in nanoseconds; `after` follows each run, untimed once warm. */
export function measure(work, quick, after) {
  let runs = 0;
  const start = now();
  let spent = 0;
  const [warmNs, warmRuns] = quick ? [WARM_NS / 10, WARM_RUNS / 10] : [WARM_NS, WARM_RUNS];
  while ((spent < warmNs || runs < warmRuns) && spent < WARM_NS_MAX) {
    work();
    after?.();
    runs += 1;
    spent = now() - start;
  }
  const batch = after ? 1 : Math.max(1, Math.ceil(BATCH_NS / (spent / runs)));
  const samples = [];
  const begun = now();
  const limit = quick ? 100_000_000 : 1_500_000_000;
  while (samples.length < SAMPLES.fewest || (samples.length < SAMPLES.most && now() - begun < limit)) {
    const from = now();
    for (let index = 0; index < batch; index += 1) work();
    samples.push((now() - from) / batch);
    after?.();
  }
  samples.sort((a, b) => a - b);
  return { median_ns: samples[Math.floor(samples.length / 2)] };
}
