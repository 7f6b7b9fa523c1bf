// The examples of the page: their files, which the build writes.
export const examples: Record<string, string[]> = {
  rankings: ["qrels.txt", "bm25.txt", "tfidf.txt", "lsa.txt"],
  labels: ["labels.csv"],
  clusters: ["clusters.csv"],
};
