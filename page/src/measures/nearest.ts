// The name that was probably meant.

/** Of some names the one with the fewest changed letters, if few are. */
export function nearest(name: string, names: string[]): string {
  const [best, changed] = [...new Set(names)]
    .map((n): [string, number] => [n, distance(name.toLowerCase(), n.toLowerCase())])
    .reduce((a, b) => (b[1] < a[1] ? b : a), ["", Infinity]);
  return changed <= Math.max(1, Math.ceil(name.length / 3)) ? best : "";
}

function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + Number(a[i - 1] !== b[j - 1]));
    }
    before = row;
  }
  return before[b.length]!;
}
