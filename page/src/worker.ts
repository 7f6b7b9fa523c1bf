// The start of DuckDB's worker, which asks no other host for anything: no extensions, no files of the network.
// The page's policy does not reach into a worker, so what could ask is narrowed here, before DuckDB starts.
const here = self.location.origin;

function checked(address: string | URL): string {
  const url = new URL(address, self.location.href);
  if (url.origin !== here || !["http:", "https:"].includes(url.protocol)) {
    throw new Error(`This page reads no file of the network: ${url.href}`);
  }
  return url.href;
}

const open = XMLHttpRequest.prototype.open as (...rest: unknown[]) => void;
XMLHttpRequest.prototype.open = function (method: string, url: string | URL, ...rest: unknown[]): void {
  open.call(this, method, checked(url), ...(rest.length ? rest : [true]));
};
const fetched = self.fetch.bind(self);
self.fetch = (input: RequestInfo | URL, options?: RequestInit) => {
  checked(input instanceof Request ? input.url : input);
  return fetched(input, options);
};
for (const name of ["WebSocket", "EventSource", "WebTransport", "RTCPeerConnection"]) {
  Object.defineProperty(self, name, { value: undefined });
}

export {};
