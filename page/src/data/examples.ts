// The examples of the page: their files, which the build copies.
export const examples: Record<string, string[]> = {
  rankings: ["qrels.txt", "bm25.txt", "tfidf.txt"],
};
