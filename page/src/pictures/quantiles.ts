// Quantiles of Student's t for intervals of 95 %.

const NORMAL = 1.959963984540054;

/** From the list of the first degrees of freedom; beyond, by the expansion of Cornish and Fisher. */
export function quantile(known: number[], df: number): number {
  if (df <= known.length) return known[df - 1]!;
  const x = NORMAL;
  const [x2, v] = [x * x, 1 / df];
  // Abramowitz and Stegun, 26.7.5.
  const terms = [
    (x * (x2 + 1)) / 4,
    (x * ((5 * x2 + 16) * x2 + 3)) / 96,
    (x * (((3 * x2 + 19) * x2 + 17) * x2 - 15)) / 384,
    (x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945)) / 92160,
  ];
  return x + terms.reduceRight((sum, term) => (sum + term) * v, 0);
}
