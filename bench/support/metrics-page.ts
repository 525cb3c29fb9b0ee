// A Prometheus page as numbers: counters by label, and quantiles of a histogram's gain between two reads.

export type MetricsPage = ReadonlyMap<string, number>;

export async function readMetrics(url: string): Promise<MetricsPage> {
  const text = await (await fetch(url)).text();
  const page = new Map<string, number>();
  for (const line of text.split('\n')) {
    const at = line.lastIndexOf(' ');
    if (line.startsWith('#') || at < 0) continue;
    page.set(line.slice(0, at), (page.get(line.slice(0, at)) ?? 0) + Number(line.slice(at + 1)));
  }
  return page;
}

/** Every series of the pages together. */
export function together(pages: readonly MetricsPage[]): MetricsPage {
  const sum = new Map<string, number>();
  for (const page of pages) for (const [series, value] of page) sum.set(series, (sum.get(series) ?? 0) + value);
  return sum;
}

export function gained(before: MetricsPage, after: MetricsPage): MetricsPage {
  return new Map([...after].map(([series, value]) => [series, value - (before.get(series) ?? 0)]));
}

/** Only the series with this value of the label. */
export function withLabel(page: MetricsPage, label: string, value: string): MetricsPage {
  return new Map([...page].filter(([series]) => new RegExp(`[{,]${label}="${value}"`).test(series)));
}

/** Of all series of `name`, by the value of one label. */
export function byLabel(page: MetricsPage, name: string, label: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [series, value] of page) {
    if (!series.startsWith(`${name}{`)) continue;
    const key = new RegExp(`[{,]${label}="([^"]*)"`).exec(series)?.[1] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/**
 * Linear inside a bucket, as Prometheus's own `histogram_quantile`; the last bound when it lies beyond it; NaN without
 * a sample.
 */
export function quantile(page: MetricsPage, name: string, q: number): number {
  const buckets = [...byLabel(page, `${name}_bucket`, 'le')]
    .map(([le, count]) => ({ le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count }))
    .sort((a, b) => a.le - b.le);
  const rank = q * (buckets.at(-1)?.count ?? Number.NaN);
  const at = buckets.findIndex((bucket) => bucket.count >= rank);
  if (at < 0) return Number.NaN;
  const below = at === 0 ? { le: 0, count: 0 } : buckets[at - 1]!;
  const bucket = buckets[at]!;
  if (!Number.isFinite(bucket.le)) return below.le;
  return below.le + ((bucket.le - below.le) * (rank - below.count)) / Math.max(1e-9, bucket.count - below.count);
}
